/// The first 127 bytes of a PMTiles archive, version 3; all numbers little-endian.
///
///     0  "PMTiles" · 7 version · 8 root · 24 metadata · 40 leaves · 56 tiles   (each: offset 8, length 8)
///     72 three counts of 8 · 96 clustered · 97 compression of directories · 98 of tiles · 99 kind of tile
///     100 first zoom · 101 last zoom · 102 west · 106 south · 110 east · 114 north   (degrees × 10⁷, 4 bytes each)
///     118 zoom, longitude and latitude of the center (1, 4, 4)
///
/// `PMTilesArchive` reads it first, at the start, from an operator's file: nothing traps, and a header of another
/// version, or with sections outside of the file, is a `PMTilesError`. `TileSource` makes the map's edges and zooms of
/// it. The layout is PMTiles version 3's and must stay (`PMTilesArchiveTests`).
package struct PMTilesHeader: Hashable, Sendable {
    /// How bytes are compressed.
    package enum Compression: UInt8, Sendable {
        /// Not at all.
        case none = 1

        /// With gzip.
        case gzip = 2
    }

    /// The format of the tiles.
    package enum TileKind: UInt8, Sendable {
        /// Anything else.
        case unknown = 0

        /// A Mapbox vector tile.
        case vector = 1

        /// A PNG image.
        case png = 2

        /// A JPEG image.
        case jpeg = 3

        /// A WebP image.
        case webp = 4

        /// An AVIF image.
        case avif = 5

        /// The value for `Content-Type`.
        package var contentType: String {
            switch self {
            case .unknown: "application/octet-stream"
            case .vector: "application/vnd.mapbox-vector-tile"
            case .png: "image/png"
            case .jpeg: "image/jpeg"
            case .webp: "image/webp"
            case .avif: "image/avif"
            }
        }
    }

    /// A part of the archive.
    package struct Section: Hashable, Sendable {
        /// Bytes from the start of the archive.
        package var offset: UInt64

        /// Bytes.
        package var length: UInt64

        /// A part of this section, by its own offset.
        ///
        /// - Throws: ``PMTilesError/outOfBounds(offset:length:)`` if it isn't wholly inside.
        func part(offset: UInt64, length: UInt64) throws(PMTilesError) -> Section {
            let (end, overflows) = offset.addingReportingOverflow(length)
            guard !overflows, end <= self.length else { throw .outOfBounds(offset: offset, length: length) }
            return Section(offset: self.offset + offset, length: length)
        }
    }

    /// How long the header is, in bytes.
    package static let length = 127

    /// The directory that is read first.
    package let root: Section

    /// A JSON object about the archive.
    package let metadata: Section

    /// The directories that others refer to.
    package let leaves: Section

    /// The tiles themselves.
    package let tiles: Section

    /// How directories and metadata are compressed.
    package let directoryCompression: Compression

    /// How tiles are compressed.
    package let tileCompression: Compression

    /// The format of the tiles.
    package let tileKind: TileKind

    /// The zooms that there are tiles for.
    package let zooms: ClosedRange<Int>

    /// The area that has tiles, or `nil` if the header's four edges are no area.
    package let bounds: MapBounds?

    /// Reads a header.
    ///
    /// - Parameters:
    ///   - bytes: The archive's first ``length`` bytes, or more.
    ///   - archiveLength: How long the whole archive is; every section must be inside.
    /// - Throws: ``PMTilesError`` if it isn't a header, or one of a kind that isn't read here.
    init(_ bytes: [UInt8], archiveLength: UInt64) throws(PMTilesError) {
        guard bytes.count >= Self.length, bytes.starts(with: "PMTiles".utf8) else { throw .notAnArchive }
        guard bytes[7] == 3 else { throw .unsupportedVersion(bytes[7]) }
        let whole = Section(offset: 0, length: archiveLength)
        root = try Self.section(bytes, at: 8, in: whole)
        metadata = try Self.section(bytes, at: 24, in: whole)
        leaves = try Self.section(bytes, at: 40, in: whole)
        tiles = try Self.section(bytes, at: 56, in: whole)
        directoryCompression = try Self.compression(bytes[97])
        tileCompression = try Self.compression(bytes[98])
        tileKind = TileKind(rawValue: bytes[99]) ?? .unknown
        guard bytes[100] <= bytes[101], bytes[101] <= TileCoordinate.maximumZoom else { throw .notAnArchive }
        zooms = Int(bytes[100])...Int(bytes[101])
        let edges = stride(from: 102, to: 118, by: 4).map { Self.degrees(bytes, at: $0) }
        bounds = MapBounds(west: edges[0], south: edges[1], east: edges[2], north: edges[3])
    }

    private static func degrees(_ bytes: [UInt8], at offset: Int) -> Double {
        let bits = bytes[offset..<offset + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return Double(Int32(bitPattern: bits)) / 1e7
    }

    private static func section(
        _ bytes: [UInt8],
        at offset: Int,
        in whole: Section
    ) throws(PMTilesError) -> Section {
        try whole.part(offset: number(bytes, at: offset), length: number(bytes, at: offset + 8))
    }

    private static func number(_ bytes: [UInt8], at offset: Int) -> UInt64 {
        bytes[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func compression(_ number: UInt8) throws(PMTilesError) -> Compression {
        guard let compression = Compression(rawValue: number) else { throw .unsupportedCompression(number) }
        return compression
    }
}
