import NIOCore
package import YonderModel

// What `yonder map check` prints (`MapCommand`). An error is that of `MapLoader`, which would also keep the server from
// starting or leave the map out. The words may be changed: people read them.

extension MapLoader {
    /// A report of a map's content, in lines for a terminal.
    ///
    /// - Throws: `invalidField` if it can't be read.
    package func report(_ setting: MapSetting) async throws(SharingError) -> String {
        let source = try await describe(setting)
        var lines = [
            "kind         \(source.kind.rawValue)",
            "schema       \(source.schema?.rawValue ?? (source.kind == .raster ? "images" : "unknown: the page draws nothing of it"))",
            "zooms        \(source.zooms.lowerBound)-\(source.zooms.upperBound)",
            "bounds       \(source.bounds.map(Self.text) ?? "the world")",
            "sea          \(source.hasSea ? "in it" : "not found; the built-in world's is shown")",
            "attribution  \(source.attribution.isEmpty ? "none: say it with attribution=" : source.attribution)",
            "tiles        \(source.template)",
        ]
        if !source.layers.isEmpty {
            lines.append("layers       \(source.layers.sorted().joined(separator: " "))")
        }
        return (lines + (try await sample(setting, source))).joined(separator: "\n")
    }

    /// A tile of the middle of the map: its size, and of vector tiles how much is in each layer.
    private func sample(_ setting: MapSetting, _ source: MapSource) async throws(SharingError) -> [String] {
        let bounds = source.bounds ?? MapBounds(west: -180, south: -85, east: 180, north: 85)
        let zoom = source.bounds == nil ? source.zooms.lowerBound : min(14, source.zooms.upperBound)
        guard let coordinate = bounds?.tile(zoom: zoom) else { return [] }
        let name = "\(coordinate.zoom)/\(coordinate.x)/\(coordinate.y)"
        guard let tile = try await tile(coordinate, setting, source) else {
            return ["tile         \(name) is empty"]
        }
        let head = "tile         \(name), \(tile.bytes.readableBytes) bytes"
        guard let layers = VectorTileLayers(tile: tile) else { return [head] }
        return [head]
            + layers.layers.map {
                "             \($0.name): \($0.features) features, \($0.keys.joined(separator: " "))"
            }
    }

    private static func text(_ bounds: MapBounds) -> String {
        "\(bounds.west) to \(bounds.east) east, \(bounds.south) to \(bounds.north) north"
    }
}
