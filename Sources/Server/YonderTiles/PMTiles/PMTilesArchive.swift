package import NIOCore
import Synchronization

/// A tile as it is stored.
package struct Tile: Hashable, Sendable {
    /// The bytes, gzipped where the archive has them so.
    package var bytes: ByteBuffer

    /// Whether tiles are sent with `Content-Encoding: gzip`.
    package var isGzipped: Bool

    package init(bytes: ByteBuffer, isGzipped: Bool) {
        self.bytes = bytes
        self.isGzipped = isGzipped
    }
}

/// A map in one file: PMTiles, version 3.
///
/// The root directory is read at once; of the others, the last few used are kept. A tile is passed on as it is
/// stored. No content of the file traps, or makes the reader read or allocate more than the limits.
///
/// `TileSource` opens one for each file when the server starts, and asks it for the tiles of the page's requests, on threads
/// that may block. A tile that the archive doesn't have is `nil`; a file that is damaged or changed under the server throws
/// a `PMTilesError` for that request. The layout is PMTiles' and must stay; limits may be changed (`PMTilesArchiveTests`).
package struct PMTilesArchive: Sendable {
    /// The largest parts that are accepted.
    enum Limit {
        static let directory = 1 << 20
        static let inflatedDirectory = 16 << 20
        static let metadata = 4 << 20
        static let tile = 8 << 20
        static let depth = 4
        static let keptLeaves = 32
    }

    /// The archive's header.
    package let header: PMTilesHeader

    private let bytes: PMTilesBytes
    private let root: PMTilesDirectory
    private let leaves = LeafCache()

    /// Opens an archive in memory.
    ///
    /// - Parameter bytes: Memory that is neither written nor freed as long as the program runs.
    /// - Throws: ``PMTilesError`` if it isn't an archive of a kind that is read here.
    package init(immortal bytes: UnsafeRawBufferPointer) throws(PMTilesError) {
        try self.init(bytes: .memory(bytes))
    }

    /// Opens an archive in a file.
    ///
    /// The file is held open and must not be changed; put a new one in its place instead.
    ///
    /// - Throws: ``PMTilesError`` if it can't be opened or isn't an archive of a kind that is read here.
    package init(path: String) throws(PMTilesError) {
        try self.init(bytes: .file(PMTilesBytes.OpenFile(path: path)))
    }

    private init(bytes: PMTilesBytes) throws(PMTilesError) {
        guard bytes.length >= UInt64(PMTilesHeader.length) else { throw .notAnArchive }
        let start = PMTilesHeader.Section(offset: 0, length: UInt64(PMTilesHeader.length))
        let head = try bytes.read(start, limit: PMTilesHeader.length)
        let header = try PMTilesHeader(Array(buffer: head), archiveLength: bytes.length)
        self.header = header
        self.bytes = bytes
        root = try Self.directory(at: header.root, in: bytes, compression: header.directoryCompression)
    }

    /// A tile, or `nil` if the archive has none there.
    ///
    /// Reads the file, and up to three directories where they aren't kept yet.
    package func tile(_ coordinate: TileCoordinate) throws(PMTilesError) -> Tile? {
        guard let section = try section(of: coordinate) else { return nil }
        let stored = try bytes.read(section, limit: Limit.tile)
        return Tile(bytes: stored, isGzipped: header.tileCompression == .gzip)
    }

    /// The JSON object that says what the archive holds and whom to credit, inflated.
    package func metadata() throws(PMTilesError) -> ByteBuffer {
        let stored = try bytes.read(header.metadata, limit: Limit.metadata)
        switch header.directoryCompression {
        case .none: return stored
        case .gzip: return try Gunzip.inflate(stored, limit: Limit.metadata)
        }
    }

    /// Where a tile is, from the root down.
    private func section(of coordinate: TileCoordinate) throws(PMTilesError) -> PMTilesHeader.Section? {
        guard header.zooms.contains(coordinate.zoom) else { return nil }
        let number = coordinate.archiveNumber
        var directory = root
        for _ in 0..<Limit.depth {
            guard let entry = directory.entry(for: number) else { return nil }
            guard entry.isLeaf else {
                return try header.tiles.part(offset: entry.offset, length: entry.length)
            }
            directory = try leaf(at: header.leaves.part(offset: entry.offset, length: entry.length))
        }
        throw .tooDeep
    }

    private func leaf(at section: PMTilesHeader.Section) throws(PMTilesError) -> PMTilesDirectory {
        if let kept = leaves[section.offset] { return kept }
        let read = try Self.directory(at: section, in: bytes, compression: header.directoryCompression)
        leaves[section.offset] = read
        return read
    }

    private static func directory(
        at section: PMTilesHeader.Section,
        in bytes: PMTilesBytes,
        compression: PMTilesHeader.Compression
    ) throws(PMTilesError) -> PMTilesDirectory {
        let stored = try bytes.read(section, limit: Limit.directory)
        switch compression {
        case .none: return try PMTilesDirectory(Array(buffer: stored))
        case .gzip:
            return try PMTilesDirectory(Array(buffer: Gunzip.inflate(stored, limit: Limit.inflatedDirectory)))
        }
    }
}

/// The directories last read, by their offset.
///
/// When it is full it starts anew: to read them again is cheap.
private final class LeafCache: Sendable {
    private let kept = Mutex<[UInt64: PMTilesDirectory]>([:])

    subscript(offset: UInt64) -> PMTilesDirectory? {
        get { kept.withLock { $0[offset] } }
        set {
            kept.withLock {
                if $0.count >= PMTilesArchive.Limit.keptLeaves { $0.removeAll() }
                $0[offset] = newValue
            }
        }
    }
}
