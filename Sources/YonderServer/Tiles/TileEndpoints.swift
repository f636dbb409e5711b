import Crypto
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import YonderModel

/// Serves the tiles of some archives, as they are stored.
struct TileEndpoints: Sendable {
    private let sources: [String: TileSource]

    init(sources: [String: TileSource]) {
        self.sources = sources
    }

    func register(in routes: RESTRoutes) {
        routes.on(.get, "/tiles/{id}/{z}/{x}/{y}.mvt", access: .anyone, query: nil) {
            call throws(SharingError) in
            let parameters = call.context.parameters
            guard let source = sources[parameters.get("id") ?? ""],
                let coordinate = Self.coordinate(parameters)
            else {
                throw SharingError(.notFound, "No such tile.")
            }
            do throws(PMTilesError) {
                return try Self.answer(try await source.tile(coordinate), call.request)
            } catch {
                call.context.logger.error("A tile can't be read", metadata: ["error": "\(error)"])
                throw SharingError(.internalError, "The tile can't be read.")
            }
        }
    }

    private static func coordinate(_ parameters: Parameters) -> TileCoordinate? {
        let numbers = ["z", "x", "y"].compactMap { name in
            parameters.get(name).flatMap { text in Int(text).flatMap { String($0) == text ? $0 : nil } }
        }
        guard numbers.count == 3 else { return nil }
        return TileCoordinate(zoom: numbers[0], x: numbers[1], y: numbers[2])
    }

    private static func answer(_ tile: Tile?, _ request: Request) throws(PMTilesError) -> RESTAnswer {
        let caching = "public, max-age=86400"
        // Nothing there is an empty tile, not a fault.
        guard let tile else { return RESTAnswer(status: .noContent, headers: [.cacheControl: caching]) }
        let digest = SHA256.hash(data: tile.bytes.readableBytesView)
        var headers: HTTPFields = [
            .cacheControl: caching, .eTag: "\"\(Base64URL.text(Array(digest).prefix(12)))\"",
            .vary: "Accept-Encoding",
        ]
        if WebEndpoints.matches(request.headers[values: .ifNoneMatch], headers[.eTag] ?? "") {
            return RESTAnswer(status: .notModified, headers: headers)
        }
        headers[.contentType] = "application/vnd.mapbox-vector-tile"
        var bytes = tile.bytes
        if tile.isGzipped {
            if WebEndpoints.acceptsGzip(request) {
                headers[.contentEncoding] = "gzip"
            } else {
                bytes = try Gunzip.inflate(bytes, limit: 16 * 1024 * 1024)
            }
        }
        return RESTAnswer(status: .ok, headers: headers, body: ResponseBody(byteBuffer: bytes))
    }
}

/// An archive, and whether reading it may wait for a disk.
package struct TileSource: Sendable {
    private let archive: PMTilesArchive
    private let isFile: Bool

    /// The map that is compiled into the program, or `nil` if there is none.
    package static func world() throws(PMTilesError) -> TileSource? {
        try PMTilesArchive.world().map { TileSource(archive: $0, isFile: false) }
    }

    /// A map in a file.
    package init(path: String) throws(PMTilesError) {
        self.init(archive: try PMTilesArchive(path: path), isFile: true)
    }

    private init(archive: PMTilesArchive, isFile: Bool) {
        self.archive = archive
        self.isFile = isFile
    }

    func tile(_ coordinate: TileCoordinate) async throws(PMTilesError) -> Tile? {
        guard isFile else { return try archive.tile(coordinate) }
        let archive = archive
        let result: Result<Tile?, PMTilesError>? = try? await NIOThreadPool.singleton.runIfActive {
            Result { () throws(PMTilesError) in try archive.tile(coordinate) }
        }
        guard let result else { throw .unreadable(0) }
        return try result.get()
    }
}
