import HTTPTypes
import Hummingbird
import YonderModel
import YonderJSON
import YonderREST
import YonderTiles

/// The endpoints that list the maps for the page.
///
/// `ServerAssembly` registers it; both answers are from memory, made at the start by `MapLoader`, without a sign-in.
/// Nothing fails but `/tiles/style.json` without a style. `Web/app/map/base-map.js` reads the members, also an older
/// page that a service worker kept: they must stay, a further one may come (`MapEndpointTests`,
/// `Documentation/rest.md`).
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
                throw SharingError(.notFound, "This server uses the page's built-in map style.")
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
