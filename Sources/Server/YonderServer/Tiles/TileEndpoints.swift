import Crypto
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import YonderAccounts
import YonderModel
import YonderREST
import YonderTiles

/// Serves the tiles of some archives, as they are stored.
///
/// `ServerAssembly` registers it; each function answers one request, on any thread, without a sign-in. A tile that isn't
/// there is 204, as map programs expect it, an unknown archive 404, an archive that can't be read an `internalError`
/// with a line in the log. Paths and headers must stay: pages and service workers keep tiles by them
/// (`Documentation/rest.md`, `MapEndpointTests`). The day of caching may be changed.
struct TileEndpoints: Sendable {
    private let sources: [String: TileSource]
    private let towns: TownTiles?
    private let lines = RESTLines()

    init(sources: [String: TileSource], towns: TownTiles? = nil) {
        self.sources = sources
        self.towns = towns
    }

    func register(in routes: RESTRoutes) {
        routes.on(.get, "/tiles/{id}/{z}/{x}/{y}.mvt", access: .anyone, query: nil) {
            call throws(SharingError) in
            try await tile(call, isImage: false)
        }
        routes.on(.get, "/tiles/{id}/{z}/{x}/{y}.image", access: .anyone, query: nil) {
            call throws(SharingError) in
            try await tile(call, isImage: true)
        }
    }

    private func tile(_ call: RESTCall, isImage: Bool) async throws(SharingError) -> RESTAnswer {
        let parameters = call.context.parameters
        if !isImage, parameters.get("id") == MapOffer.towns, let towns,
            let coordinate = Self.coordinate(parameters)
        {
            let tile = try await towns.tile(coordinate)
            do throws(PMTilesError) {
                return try Self.answer(tile, type: PMTilesHeader.TileKind.vector.contentType, call.request)
            } catch {
                throw SharingError(.internalError, "The tile can't be read.")
            }
        }
        guard let source = sources[parameters.get("id") ?? ""],
            source.header.tileKind.contentType.hasPrefix("image/") == isImage,
            let coordinate = Self.coordinate(parameters)
        else {
            throw SharingError(.notFound, "No such tile.")
        }
        do throws(PMTilesError) {
            let tile = try await source.tile(coordinate)
            return try Self.answer(tile, type: source.header.tileKind.contentType, call.request)
        } catch {
            lines.failed("A tile can't be read", error: "\(error)", call.context.logger)
            throw SharingError(.internalError, "The tile can't be read.")
        }
    }

    static func coordinate(_ parameters: Parameters) -> TileCoordinate? {
        let numbers = ["z", "x", "y"].compactMap { name in
            parameters.get(name).flatMap { text in Int(text).flatMap { String($0) == text ? $0 : nil } }
        }
        guard numbers.count == 3 else { return nil }
        return TileCoordinate(zoom: numbers[0], x: numbers[1], y: numbers[2])
    }

    static func answer(
        _ tile: Tile?,
        type: String,
        _ request: Request
    ) throws(PMTilesError) -> RESTAnswer {
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
        headers[.contentType] = type
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
