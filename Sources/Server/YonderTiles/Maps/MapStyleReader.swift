import Foundation
import NIOCore
import NIOPosix
import YonderModel

/// Reads an operator's MapLibre style and the TileJSON that it names, and finds out which hosts a page needs for it.
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
        guard var style = (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any],
            style["version"] as? Int == 8, style["layers"] is [Any]
        else {
            throw SharingError(.invalidField, "\(location) must be a MapLibre style of version 8.")
        }
        var origins: Set<String> = []
        let sources = style["sources"] as? [String: Any] ?? [:]
        guard sources.count <= Limit.sources else {
            throw SharingError(.invalidField, "\(location) must name at most \(Limit.sources) sources.")
        }
        var whole: [String: Any] = [:]
        for (name, source) in sources {
            whole[name] = try await resolved(source, from: location, &origins)
        }
        style["sources"] = whole
        // Letters are drawn from the page's fonts, so that no server is asked for them.
        style["glyphs"] = nil
        if let sprite = style["sprite"] { style["sprite"] = try images(sprite, from: location, &origins) }
        guard let json = try? JSONSerialization.data(withJSONObject: style, options: [.sortedKeys]) else {
            throw SharingError(.invalidField, "\(location) must be a style that JSON can express.")
        }
        return MapStyle(json: Array(json), origins: origins.sorted())
    }

    /// The addresses of a style's images, of which a style has one, or a list of them with names.
    private func images(
        _ sprite: Any,
        from location: String,
        _ origins: inout Set<String>
    ) throws(SharingError) -> Any {
        if let address = sprite as? String {
            return try note(MapWeb.resolve(address, against: location), &origins)
        }
        var list: [[String: Any]] = []
        for case var named as [String: Any] in sprite as? [Any] ?? [] {
            guard let address = named["url"] as? String else { continue }
            named["url"] = try note(MapWeb.resolve(address, against: location), &origins)
            list.append(named)
        }
        return list
    }

    /// A source with addresses alone, none of them relative.
    private func resolved(
        _ source: Any,
        from location: String,
        _ origins: inout Set<String>
    ) async throws(SharingError) -> Any {
        guard var source = source as? [String: Any] else { return source }
        if let address = source["url"] as? String {
            let url = MapWeb.resolve(address, against: location)
            let document = try await content(of: url)
            guard let members = (try? JSONSerialization.jsonObject(with: Data(document))) as? [String: Any]
            else {
                throw SharingError(.invalidField, "\(url) must be TileJSON.")
            }
            source["url"] = nil
            for name in ["tiles", "minzoom", "maxzoom", "bounds", "scheme"] where source[name] == nil {
                source[name] = members[name]
            }
            source["attribution"] = TileDocument.plain(members["attribution"] as? String ?? "")
            let tiles = (source["tiles"] as? [Any])?.compactMap { $0 as? String } ?? []
            source["tiles"] = tiles.map { MapWeb.resolve($0, against: url) }
        }
        if let text = source["attribution"] as? String { source["attribution"] = TileDocument.plain(text) }
        if let tiles = source["tiles"] as? [Any] {
            var addresses: [String] = []
            for case let tile as String in tiles {
                addresses.append(try note(MapWeb.resolve(tile, against: location), &origins))
            }
            source["tiles"] = addresses
        }
        if let data = source["data"] as? String {
            source["data"] = try note(MapWeb.resolve(data, against: location), &origins)
        }
        return source
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
