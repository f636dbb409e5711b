import NIOCore
import NIOPosix

/// An archive, and whether reading it may wait for a disk.
///
/// `MapLoader` opens one for each archive at the start; `TileEndpoints` reads tiles, on any thread, an archive on a disk
/// by way of a thread pool so that no event loop waits. A ``PMTilesError`` of one tile leaves the others readable. Which
/// layers make a schema is decided in `MapSource` (`MapLoaderTests`, `PMTilesArchiveTests`).
///
/// How many tiles are looked at for a description may be changed.
package struct TileSource: Sendable {
    private let archive: PMTilesArchive
    private let isFile: Bool

    /// The map that is compiled into the program, or `nil` if there is none.
    package static func world() throws(PMTilesError) -> TileSource? {
        try PMTilesArchive.world().map { TileSource(archive: $0, isFile: false) }
    }

    /// The streets that are compiled into the program, or `nil` if there are none.
    package static func region() throws(PMTilesError) -> TileSource? {
        try PMTilesArchive.region().map { TileSource(archive: $0, isFile: false) }
    }

    /// The archive's header.
    package var header: PMTilesHeader { archive.header }

    /// A map in a file.
    package init(path: String) throws(PMTilesError) {
        self.init(archive: try PMTilesArchive(path: path), isFile: true)
    }

    private init(archive: PMTilesArchive, isFile: Bool) {
        self.archive = archive
        self.isFile = isFile
    }

    /// The map as the page draws it, found out from the archive's header, its metadata and a few of its tiles.
    ///
    /// Reads the file.
    package func described(as id: String) throws(PMTilesError) -> MapSource {
        let header = archive.header
        let document = TileDocument(Array(buffer: try archive.metadata())) ?? TileDocument()
        let isImage = ![.vector, .unknown].contains(header.tileKind)
        var source = MapSource(
            id: id,
            kind: isImage ? .raster : .vector,
            template: "/tiles/\(id)/{z}/{x}/{y}.\(isImage ? "image" : "mvt")",
            zooms: header.zooms,
            bounds: header.bounds.flatMap { $0.isWorld ? nil : $0 },
            attribution: document.attribution,
            tileSize: isImage ? 256 : 512,
            layers: document.layers
        )
        guard !isImage else { return source }
        let samples = try samples(within: header.bounds)
        if source.layers.isEmpty { source.layers = Set(samples.flatMap(\.names)).sorted() }
        source.schema = MapSource.Schema(layers: source.layers)
        source.hasSea = samples.contains(where: \.hasSea)
        return source
    }

    /// The layers of some tiles: around the middle and the corners, from the zoom where a country is a few tiles.
    private func samples(within bounds: MapBounds?) throws(PMTilesError) -> [VectorTileLayers] {
        guard let bounds = bounds ?? MapBounds(west: -180, south: -85, east: 180, north: 85) else {
            return []
        }
        let zooms = Set([archive.header.zooms.lowerBound, min(8, archive.header.zooms.upperBound)])
        let parts = [(0.5, 0.5), (0.1, 0.1), (0.9, 0.1), (0.1, 0.9), (0.9, 0.9)]
        let places = zooms.flatMap { zoom in parts.map { (zoom, $0) } }
        var samples: [VectorTileLayers] = []
        for (zoom, part) in places {
            guard let coordinate = bounds.tile(zoom: zoom, east: part.0, south: part.1),
                let tile = try archive.tile(coordinate)
            else { continue }
            if let layers = VectorTileLayers(tile: tile) { samples.append(layers) }
        }
        return samples
    }

    package func tile(_ coordinate: TileCoordinate) async throws(PMTilesError) -> Tile? {
        guard isFile else { return try archive.tile(coordinate) }
        let archive = archive
        let result: Result<Tile?, PMTilesError>? = try? await NIOThreadPool.singleton.runIfActive {
            Result { () throws(PMTilesError) in try archive.tile(coordinate) }
        }
        guard let result else { throw .unreadable(0) }
        return try result.get()
    }
}
