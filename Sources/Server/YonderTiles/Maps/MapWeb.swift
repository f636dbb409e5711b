import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import YonderModel
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Asks other servers for TileJSON, styles and one tile: 5 s each, no redirect to another host, a few megabytes at most.
///
/// `MapLoader` asks when the server starts, and `yonder map check` for its report; never for a request of the page. An
/// answer that is late, too large or of another form throws `invalidField` with the address; at the start that map is then
/// left out. Nothing is kept, so asking again asks anew. The limits keep a strange server from holding the start up or
/// filling memory (`MapWebTests`).
package struct MapWeb: Sendable {
    /// The limits of a request.
    enum Limit {
        static let bytes = 8 << 20
        static let redirects = 3
    }

    /// An answer's body and media type.
    struct Answer: Sendable {
        var bytes: ByteBuffer
        var type: String
    }

    private let agent: String
    private let patience: Duration

    /// Asks as `agent`.
    ///
    /// - Parameters:
    ///   - agent: The name that other servers get.
    ///   - patience: How long one document or tile may take, its whole body and its redirects included.
    package init(agent: String = "Yonder", patience: Duration = .seconds(5)) {
        self.agent = agent
        self.patience = patience
    }

    /// Describes a TileJSON document or a template's tiles, overridden by the operator's settings.
    ///
    /// - Throws: `invalidField` that names the address.
    func describe(_ setting: MapSetting) async throws(SharingError) -> MapSource {
        switch setting.location {
        case .file(let path): throw SharingError(.invalidField, "\(path) must be an address; it is a file.")
        case .template(let url):
            var document = TileDocument()
            document.template = url
            return try await source(document, setting)
        case .document(let url):
            guard let document = TileDocument(Array(buffer: try await get(url).bytes)),
                let template = document.template
            else {
                throw SharingError(.invalidField, "\(url) must be TileJSON that names tiles.")
            }
            var resolved = document
            resolved.template = Self.resolve(template, against: url)
            return try await source(resolved, setting)
        }
    }

    private func source(_ document: TileDocument, _ setting: MapSetting) async throws(SharingError)
        -> MapSource
    {
        guard var template = document.template, let origin = MapSetting.origin(of: template) else {
            throw SharingError(.invalidField, "\(document.template ?? "") must be the address of a tile.")
        }
        if document.countsFromSouth { template = template.replacing("{y}", with: "{-y}") }
        let zooms = setting.zooms ?? Self.zooms(document)
        var source = MapSource(
            id: setting.identifier,
            kind: setting.kind ?? .vector,
            schema: setting.schema ?? MapSource.Schema(layers: document.layers),
            template: template,
            zooms: zooms,
            bounds: document.bounds.flatMap { $0.isWorld ? nil : $0 },
            attribution: setting.attribution ?? document.attribution,
            layers: document.layers,
            origin: origin
        )
        try await look(at: &source, saidKind: setting.kind)
        return source
    }

    /// Completes a source by one of its tiles: the first zoom's, in the middle.
    private func look(at source: inout MapSource, saidKind: MapSource.Kind?) async throws(SharingError) {
        let isKnown = saidKind == .raster || (source.schema != nil && saidKind != nil)
        if !isKnown || source.kind == .vector {
            let tile = try await sample(source)
            if let layers = VectorTileLayers(tile: Tile(bytes: tile.bytes, isGzipped: false)),
                !tile.type.hasPrefix("image/")
            {
                source.kind = .vector
                if source.layers.isEmpty { source.layers = layers.names.sorted() }
                source.schema = source.schema ?? MapSource.Schema(layers: source.layers)
                source.hasSea = layers.hasSea
            } else if Self.isImage(tile) {
                source.kind = .raster
                source.schema = nil
            } else if saidKind == nil {
                throw SharingError(
                    .invalidField,
                    "\(source.template): the tiles must be vector tiles or images."
                )
            }
        }
        source.tileSize = source.kind == .raster ? 256 : 512
    }

    /// One tile of a source.
    func sample(_ source: MapSource) async throws(SharingError) -> Answer {
        let bounds = source.bounds ?? MapBounds(west: -180, south: -85, east: 180, north: 85)
        guard let tile = bounds?.tile(zoom: source.zooms.lowerBound) else {
            throw SharingError(.invalidField, "\(source.template): its bounds must include a tile.")
        }
        return try await get(Self.address(source.template, tile))
    }

    static func address(_ template: String, _ tile: TileCoordinate) -> String {
        let fromSouth = (1 << tile.zoom) - 1 - tile.y
        return [("{z}", tile.zoom), ("{x}", tile.x), ("{y}", tile.y), ("{-y}", fromSouth)]
            .reduce(template) { $0.replacing($1.0, with: String($1.1)) }
    }

    /// An address that stands in a document, which may be relative to the document's own.
    static func resolve(_ address: String, against document: String) -> String {
        if address.contains("://") { return address }
        guard let base = URL(string: document) else { return address }
        // Placeholders aren't allowed in an address: they are put aside while it is resolved.
        let marked = address.replacing("{", with: "%7B").replacing("}", with: "%7D")
        let whole = URL(string: marked, relativeTo: base)?.absoluteString ?? address
        return whole.replacing("%7B", with: "{").replacing("%7D", with: "}")
    }

    private static func zooms(_ document: TileDocument) -> ClosedRange<Int> {
        let low = document.minimumZoom ?? 0
        return low...max(low, document.maximumZoom ?? 14)
    }

    private static func isImage(_ answer: Answer) -> Bool {
        let starts: [[UInt8]] = [[0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], Array("RIFF".utf8)]
        return answer.type.hasPrefix("image/")
            || starts.contains { answer.bytes.readableBytesView.starts(with: $0) }
    }

    /// The body at an address.
    ///
    /// - Throws: `invalidField` that says what the server answered.
    func get(_ url: String) async throws(SharingError) -> Answer {
        do {
            return try await fetch(url)
        } catch let error as SharingError {
            throw error
        } catch {
            throw SharingError(.invalidField, "\(url) must answer; the request failed: \(error).")
        }
    }

    private func fetch(_ url: String) async throws -> Answer {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
        // Otherwise a host that refuses connections is asked again until the time is over.
        configuration.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let answer: Result<Answer, any Error>
        do {
            answer = .success(try await inTime(url, client))
        } catch {
            answer = .failure(error)
        }
        try? await client.shutdown()
        return try answer.get()
    }

    /// Some servers send what they have gzipped, asked or not.
    private static func inflated(_ bytes: ByteBuffer) throws(PMTilesError) -> ByteBuffer {
        guard bytes.readableBytesView.starts(with: [0x1F, 0x8B]) else { return bytes }
        return try Gunzip.inflate(bytes, limit: Limit.bytes)
    }

    /// The body at an address, the whole of which must come in time, not only its head.
    private func inTime(_ url: String, _ client: HTTPClient) async throws -> Answer {
        try await withThrowingTaskGroup(of: Answer.self) { group in
            group.addTask { try await follow(url, client) }
            group.addTask {
                try await Task.sleep(for: patience)
                throw SharingError(.invalidField, "\(url) must answer within \(patience).")
            }
            defer { group.cancelAll() }
            guard let answer = try await group.next() else { throw CancellationError() }
            return answer
        }
    }

    /// Follows redirects that stay at the host.
    private func follow(_ url: String, _ client: HTTPClient) async throws -> Answer {
        var url = url
        for _ in 0...Limit.redirects {
            var request = HTTPClientRequest(url: url)
            request.headers.add(name: "User-Agent", value: agent)
            let answer = try await client.execute(request, deadline: .distantFuture)
            if (300..<400).contains(answer.status.code), let place = answer.headers.first(name: "Location") {
                let next = Self.resolve(place, against: url)
                guard let origin = MapSetting.origin(of: next), origin == MapSetting.origin(of: url) else {
                    throw SharingError(
                        .invalidField,
                        "\(url) must not redirect to another host; set the address at that host."
                    )
                }
                url = next
                continue
            }
            guard answer.status == .ok else {
                throw SharingError(
                    .invalidField,
                    "\(url) must answer with 200; it answered with \(answer.status.code)."
                )
            }
            let type = answer.headers.first(name: "Content-Type")?.lowercased() ?? ""
            return Answer(
                bytes: try Self.inflated(try await answer.body.collect(upTo: Limit.bytes)),
                type: type
            )
        }
        throw SharingError(.invalidField, "\(url) must answer after at most \(Limit.redirects) redirects.")
    }
}
