import HTTPTypes
import Hummingbird
import YonderModel
import YonderJSON

/// The maps that this server offers to the page.
package struct MapOffer: Sendable {
    /// The built-in world, or an operator's file of that name; `nil` if there is none.
    package var world: MapSource?

    /// The maps over it, the first lowest.
    package var sources: [MapSource] = []

    /// Whether the towns of the gazetteer are served as tiles.
    package var hasTowns = false

    /// An operator's whole style, or `nil` for the page's own.
    package var style: MapStyle?

    /// Offers these.
    package init(world: MapSource? = nil, sources: [MapSource] = []) {
        self.world = world
        self.sources = sources
    }

    /// The other servers that a page showing this map asks, as origins, in order.
    package var origins: [String] {
        let all = Set(sources.compactMap(\.origin)).union(style?.origins ?? [])
        return all.sorted()
    }
}

/// A MapLibre style of an operator's, and which other servers it needs.
package struct MapStyle: Hashable, Sendable {
    /// The style as JSON.
    package var json: [UInt8]

    /// The origins of its tiles, images and letters.
    package var origins: [String]

    /// Joins them.
    package init(json: [UInt8], origins: [String]) {
        self.json = json
        self.origins = origins
    }
}

/// The endpoints that list the maps for the page.
struct MapEndpoints: Sendable {
    let offer: MapOffer

    func register(in routes: RESTRoutes) {
        routes.on(.get, "/tiles/map.json", access: .anyone, query: nil) { _ throws(SharingError) in
            var answer = RESTAnswer.json { $0.offer(offer) }
            answer.headers[.cacheControl] = "no-cache"
            return answer
        }
        routes.on(.get, "/tiles/style.json", access: .anyone, query: nil) { _ throws(SharingError) in
            guard let style = offer.style else {
                throw SharingError(.notFound, "There is no style of its own.")
            }
            return RESTAnswer(
                status: .ok,
                headers: [.contentType: "application/json", .cacheControl: "no-cache"],
                body: ResponseBody(byteBuffer: .init(bytes: style.json))
            )
        }
    }
}

extension JSONWriter {
    fileprivate mutating func offer(_ offer: MapOffer) {
        raw("{\"sources\":")
        list(offer.sources) { $0.source($1) }
        if let world = offer.world {
            raw(",\"world\":")
            source(world)
        }
        raw(offer.hasTowns ? ",\"towns\":true" : ",\"towns\":false")
        raw(offer.style == nil ? ",\"style\":false" : ",\"style\":true")
        raw(",\"origins\":")
        list(offer.origins) { $0.string($1) }
        raw("}")
    }

    private mutating func source(_ source: MapSource) {
        raw("{\"id\":")
        string(source.id)
        raw(",\"kind\":")
        string(source.kind.rawValue)
        if let schema = source.schema {
            raw(",\"schema\":")
            string(schema.rawValue)
        }
        raw(",\"tiles\":")
        string(source.template)
        raw(",\"minzoom\":")
        integer(Int64(source.zooms.lowerBound))
        raw(",\"maxzoom\":")
        integer(Int64(source.zooms.upperBound))
        raw(",\"tileSize\":")
        integer(Int64(source.tileSize))
        if let bounds = source.bounds {
            raw(",\"bounds\":")
            list([bounds.west, bounds.south, bounds.east, bounds.north]) { $0.double($1) }
        }
        raw(",\"attribution\":")
        string(source.attribution)
        raw(source.hasSea ? ",\"sea\":true}" : ",\"sea\":false}")
    }
}
