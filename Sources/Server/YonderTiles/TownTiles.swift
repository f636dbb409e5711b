import NIOCore
import Synchronization
package import YonderModel
import YonderRules

/// The gazetteer's towns as vector tiles, so that the map has names where no street map is.
///
/// `ServerProcess` makes one over the `Gazetteer`; `TileEndpoints` asks for a tile at each request for `/tiles/towns/…`,
/// on any thread. A tile has a layer `place` as in the OpenMapTiles schema: points with `class`, `name` and `rank`. A
/// tile without towns has the layer without points. 1 000 tiles are kept for 24 hours each; two requests for a tile that
/// isn't kept both make it. An error of the lookup (`geocoderUnavailable`) is the answer to the request, and nothing is
/// kept.
///
/// How many tiles, places and hours there are may be changed here. The zooms must be those of `TOWN_ZOOMS` in
/// `Web/map/style.js`, the layer's name, its keys and the classes those of `Web/map/schemas.js`, which draws `city`,
/// `town` and `village` each in its way; the bounds of 100 000 and 20 000 people may move. `PlaceNameTests` has the
/// test, with the statuses of tiles beyond the zooms.
package final class TownTiles: Sendable {
    /// The greatest places within edges, most people first, at most so many.
    ///
    /// A place's number in this order is its `rank`: where two names would overlap, the map draws that of the lower rank.
    package typealias Lookup = @Sendable (MapBounds, Int) async throws(SharingError) -> [GeocodingCandidate]

    /// The zooms that there are tiles for.
    package static let zooms = 7...10

    /// The most places of a tile.
    private static let limit = 60

    /// The units of a tile's side; the tile says so, so that any other power of two does as well.
    private static let extent = 4_096.0

    private let lookup: Lookup
    private let kept = Mutex(AnswerCache<Tile>(capacity: 1_000, lifetime: .seconds(24 * 60 * 60)))

    /// Looks places up with `lookup`.
    package init(_ lookup: @escaping Lookup) {
        self.lookup = lookup
    }

    /// A tile, or `nil` beyond the zooms.
    ///
    /// - Throws: What the lookup throws.
    package func tile(_ coordinate: TileCoordinate) async throws(SharingError) -> Tile? {
        guard Self.zooms.contains(coordinate.zoom), let bounds = coordinate.bounds else { return nil }
        let name = "\(coordinate.zoom)/\(coordinate.x)/\(coordinate.y)"
        if let tile = kept.withLock({ $0.answer(to: name, at: .now) }) { return tile }
        let towns = try await lookup(bounds, Self.limit)
        let tile = Tile(bytes: ByteBuffer(bytes: Self.encoded(towns, within: bounds)), isGzipped: false)
        kept.withLock { $0.keep(tile, to: name, at: .now) }
        return tile
    }

    /// A tile of one layer: protocol buffers after the Mapbox Vector Tile specification, version 2.
    private static func encoded(_ towns: [GeocodingCandidate], within bounds: MapBounds) -> [UInt8] {
        let classes = ["city", "town", "village"]
        var values = classes
        var layer = ProtocolBufferWriter()
        layer.bytes(1, Array("place".utf8))
        for (index, town) in towns.enumerated() {
            let people = town.population ?? 0
            let kind = people >= 100_000 ? 0 : people >= 20_000 ? 1 : 2
            values.append(town.name)
            var feature = ProtocolBufferWriter()
            // Keys and values by their index: class, name, rank.
            let tags = [0, kind, 1, values.count - 1, 2, classes.count + towns.count + index]
            feature.packed(2, tags.map(UInt64.init))
            feature.number(3, 1)
            let (x, y) = bounds.position(of: town.coordinate, extent: extent)
            // One move to a place, both numbers with their sign in the lowest bit.
            feature.packed(4, [9, zigzag(x), zigzag(y)])
            layer.bytes(2, feature.output)
        }
        for key in ["class", "name", "rank"] { layer.bytes(3, Array(key.utf8)) }
        for value in values {
            var text = ProtocolBufferWriter()
            text.bytes(1, Array(value.utf8))
            layer.bytes(4, text.output)
        }
        for rank in towns.indices {
            var number = ProtocolBufferWriter()
            number.number(5, UInt64(rank + 1))
            layer.bytes(4, number.output)
        }
        layer.number(5, UInt64(extent))
        layer.number(15, 2)
        var tile = ProtocolBufferWriter()
        tile.bytes(3, layer.output)
        return tile.output
    }

    private static func zigzag(_ number: Int) -> UInt64 {
        UInt64(bitPattern: Int64(number << 1 ^ number >> 63))
    }
}

/// Writes the fields of a protocol buffer.
private struct ProtocolBufferWriter {
    private(set) var output: [UInt8] = []

    mutating func number(_ field: UInt64, _ value: UInt64) {
        varint(field << 3)
        varint(value)
    }

    mutating func bytes(_ field: UInt64, _ bytes: [UInt8]) {
        varint(field << 3 | 2)
        varint(UInt64(bytes.count))
        output += bytes
    }

    mutating func packed(_ field: UInt64, _ values: [UInt64]) {
        var inner = ProtocolBufferWriter()
        for value in values { inner.varint(value) }
        bytes(field, inner.output)
    }

    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            output.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        output.append(UInt8(rest))
    }
}
