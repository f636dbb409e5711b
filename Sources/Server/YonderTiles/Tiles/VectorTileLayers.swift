import NIOCore

/// The layers of a vector tile, without their geometry: tells what kind of map a tile is from.
///
/// `TileSource` reads some tiles of a file, and `MapWeb` one of another server's, when a server starts or `yonder map check`
/// describes a map (`MapReport`). Tiles that the page asks for aren't read. Reading one inflates it and looks at each of its
/// features once.
///
/// A tile is protocol buffers (Mapbox Vector Tile, version 2): field 3 is a layer, in which 1 is the name, 2 a feature, 3 a
/// key and 4 a value, whose field 1 is a text. No bytes make the reader trap: what is no tile gives `nil`, and the caller
/// then takes the map for one of images, or for one whose layers aren't known (`MapLoaderTests`).
///
/// The names in ``hasSea`` are those of the three schemas in `MapSource.Schema` and change with them (decision 17); the
/// field numbers are the format's.
///
/// ``limit`` may be changed: the most bytes of a tile once it is inflated.
struct VectorTileLayers: Hashable, Sendable {
    /// A layer, and how much is in it.
    struct Layer: Hashable, Sendable {
        var name = ""

        /// How many features it has.
        var features = 0

        /// The names of its features' properties, in the order of the tile.
        var keys: [String] = []

        /// The texts among its values.
        var texts: Set<String> = []
    }

    /// The most bytes that a tile inflates to.
    static let limit = 16 << 20

    let layers: [Layer]

    /// The layers' names.
    var names: [String] { layers.map(\.name) }

    /// Whether the tile has a part of the sea, as one of the three schemas marks it.
    var hasSea: Bool {
        layers.contains { layer in
            switch layer.name {
            case "ocean": layer.features > 0
            case "water": layer.texts.contains("ocean") || layer.texts.contains("sea")
            default: false
            }
        }
    }

    /// Reads a tile, inflated or not.
    ///
    /// - Returns: `nil` if it isn't a vector tile, or inflates to more than ``limit``.
    init?(tile: Tile) {
        var bytes = tile.bytes
        if tile.isGzipped || bytes.readableBytesView.starts(with: [0x1F, 0x8B]) {
            guard let inflated = try? Gunzip.inflate(bytes, limit: Self.limit) else { return nil }
            bytes = inflated
        }
        var reader = ProtocolBufferReader(Array(buffer: bytes)[...])
        var layers: [Layer] = []
        while let field = reader.next() {
            guard field.number == 3, let content = field.content else { continue }
            guard let layer = Self.layer(content) else { return nil }
            layers.append(layer)
        }
        guard !reader.isBroken, layers.allSatisfy({ !$0.name.isEmpty }) else { return nil }
        self.layers = layers
    }

    private static func layer(_ bytes: ArraySlice<UInt8>) -> Layer? {
        var reader = ProtocolBufferReader(bytes)
        var layer = Layer()
        while let field = reader.next() {
            guard let content = field.content else { continue }
            switch field.number {
            case 1: layer.name = String(decoding: content, as: UTF8.self)
            case 2: layer.features += 1
            case 3: layer.keys.append(String(decoding: content, as: UTF8.self))
            case 4: if let text = text(content) { layer.texts.insert(text) }
            default: break
            }
        }
        return reader.isBroken ? nil : layer
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        var reader = ProtocolBufferReader(bytes)
        while let field = reader.next() {
            if field.number == 1, let content = field.content {
                return String(decoding: content, as: UTF8.self)
            }
        }
        return nil
    }
}

/// Reads the fields of a protocol buffer, one after another.
private struct ProtocolBufferReader {
    struct Field {
        var number: UInt64

        /// The bytes of a field that has a length; `nil` for numbers.
        var content: ArraySlice<UInt8>?
    }

    private var rest: ArraySlice<UInt8>

    /// Whether the bytes ended within a field, or had one of an unknown kind.
    private(set) var isBroken = false

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// The next field, or `nil` at the end; ``isBroken`` then says whether the end is one.
    mutating func next() -> Field? {
        guard !rest.isEmpty, !isBroken else { return nil }
        guard let tag = varint() else { return fail() }
        switch tag & 7 {
        case 0: return varint() == nil ? fail() : Field(number: tag >> 3)
        case 1: return skip(8) == nil ? fail() : Field(number: tag >> 3)
        case 5: return skip(4) == nil ? fail() : Field(number: tag >> 3)
        case 2:
            guard let length = varint(), let content = skip(length) else { return fail() }
            return Field(number: tag >> 3, content: content)
        default: return fail()
        }
    }

    private mutating func fail() -> Field? {
        isBroken = true
        return nil
    }

    private mutating func skip(_ length: UInt64) -> ArraySlice<UInt8>? {
        guard length <= UInt64(rest.count) else { return nil }
        defer { rest = rest.dropFirst(Int(length)) }
        return rest.prefix(Int(length))
    }

    /// A number of seven bits a byte, the lowest first; at most ten bytes.
    private mutating func varint() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard let byte = rest.popFirst() else { return nil }
            value |= shift < 64 ? UInt64(byte & 0x7F) << shift : 0
            if byte < 0x80 { return value }
        }
        return nil
    }
}
