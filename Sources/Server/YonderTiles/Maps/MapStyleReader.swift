import NIOCore
import NIOPosix
import YonderModel
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads an operator's MapLibre style and the TileJSON that it names, and finds out which hosts a page needs for it.
///
/// `MapLoader` calls ``read(_:)`` for `--map-style` at the start; after an error the page has the built-in style, and
/// the log says why. A stranger's JSON is read, so sizes are bounded in ``Limit``, which may be changed. That every
/// origin of a style is noted must stay, because the page's content policy admits these alone, and that relative
/// addresses become whole ones (`MapLoaderTests`, `Documentation/street-maps.md`).
struct MapStyleReader: Sendable {
    /// The most that is read.
    enum Limit {
        static let sources = 50
        static let bytes = 8 << 20
    }

    let web: MapWeb?

    /// Reads a style from a file or an address.
    ///
    /// TileJSON is put into the style, so that the page asks for tiles alone.
    ///
    /// - Throws: `invalidField`.
    func read(_ location: String) async throws(SharingError) -> MapStyle {
        let bytes = try await content(of: location)
        guard var style = JSONValue(bytes)?.members, style["version"]?.number == 8,
            style["layers"]?.items != nil
        else {
            throw SharingError(.invalidField, "\(location) must be a MapLibre style of version 8.")
        }
        var origins: Set<String> = []
        let sources = style["sources"]?.members ?? [:]
        guard sources.count <= Limit.sources else {
            throw SharingError(.invalidField, "\(location) must name at most \(Limit.sources) sources.")
        }
        var whole: [String: JSONValue] = [:]
        for (name, source) in sources {
            whole[name] = try await resolved(source, from: location, &origins)
        }
        style["sources"] = .object(whole)
        // Letters are drawn from the page's fonts, so that no server is asked for them.
        style["glyphs"] = nil
        if let sprite = style["sprite"] { style["sprite"] = try images(sprite, from: location, &origins) }
        guard let json = JSONValue.object(style).json else {
            throw SharingError(.invalidField, "\(location) must be a style that JSON can express.")
        }
        return MapStyle(json: json, origins: origins.sorted())
    }

    /// The addresses of a style's images, of which a style has one, or a list of them with names.
    private func images(
        _ sprite: JSONValue,
        from location: String,
        _ origins: inout Set<String>
    ) throws(SharingError) -> JSONValue {
        if let address = sprite.text {
            return .text(try note(MapWeb.resolve(address, against: location), &origins))
        }
        var list: [JSONValue] = []
        for case .object(var named) in sprite.items ?? [] {
            guard let address = named["url"]?.text else { continue }
            named["url"] = .text(try note(MapWeb.resolve(address, against: location), &origins))
            list.append(.object(named))
        }
        return .list(list)
    }

    /// A source with addresses alone, none of them relative.
    private func resolved(
        _ source: JSONValue,
        from location: String,
        _ origins: inout Set<String>
    ) async throws(SharingError) -> JSONValue {
        guard var source = source.members else { return source }
        if let address = source["url"]?.text {
            let url = MapWeb.resolve(address, against: location)
            let document = try await content(of: url)
            guard let members = JSONValue(document)?.members else {
                throw SharingError(.invalidField, "\(url) must be TileJSON.")
            }
            source["url"] = nil
            for name in ["tiles", "minzoom", "maxzoom", "bounds", "scheme"] where source[name] == nil {
                source[name] = members[name]
            }
            source["attribution"] = .text(TileDocument.plain(members["attribution"]?.text ?? ""))
            let tiles = source["tiles"]?.items?.compactMap(\.text) ?? []
            source["tiles"] = .list(tiles.map { .text(MapWeb.resolve($0, against: url)) })
        }
        if let text = source["attribution"]?.text { source["attribution"] = .text(TileDocument.plain(text)) }
        if let tiles = source["tiles"]?.items {
            var addresses: [JSONValue] = []
            for tile in tiles.compactMap(\.text) {
                addresses.append(.text(try note(MapWeb.resolve(tile, against: location), &origins)))
            }
            source["tiles"] = .list(addresses)
        }
        if let data = source["data"]?.text {
            source["data"] = .text(try note(MapWeb.resolve(data, against: location), &origins))
        }
        return .object(source)
    }

    /// Adds an address's origin to those that are needed; a path of this server's needs none.
    private func note(_ address: String, _ origins: inout Set<String>) throws(SharingError) -> String {
        if address.hasPrefix("/") { return address }
        guard let origin = MapSetting.origin(of: address) else {
            throw SharingError(.invalidField, "\(address) must be an http or https address.")
        }
        origins.insert(origin)
        return address
    }

    private func content(of location: String) async throws(SharingError) -> [UInt8] {
        if MapSetting.origin(of: location) != nil {
            guard let web else {
                throw SharingError(
                    .invalidField,
                    "map-style must be a file; this program asks no other servers for maps."
                )
            }
            return Array(buffer: try await web.get(location).bytes)
        }
        guard !location.contains("://") else {
            throw SharingError(.invalidField, "\(location) must be an http or https address, or a file.")
        }
        let read = try? await NIOThreadPool.singleton.runIfActive {
            FileManager.default.contents(atPath: location)
        }
        guard let data = read ?? nil, data.count <= Limit.bytes else {
            throw SharingError(
                .invalidField,
                "\(location) must be a readable file of at most \(Limit.bytes) bytes."
            )
        }
        return Array(data)
    }
}
