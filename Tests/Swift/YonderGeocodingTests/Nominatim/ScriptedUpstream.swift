import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Synchronization
import Testing
import YonderGeodesy
import YonderModel

@testable import YonderGeocoding

/// A server on loopback that answers as its script says, and remembers what it was asked.
final class ScriptedUpstream: Sendable {
    typealias Script = @Sendable (Request) async throws -> Response

    /// When the geocoder's clock stands still, it stands here.
    private static let start = ContinuousClock.now

    private let script: Script
    private let seen = Mutex<[(target: String, agent: String?)]>([])

    init(_ script: @escaping Script) {
        self.script = script
    }

    /// The paths and queries it was asked for, in their order.
    var targets: [String] { seen.withLock { $0.map(\.target) } }

    /// How who asked calls itself.
    var agents: [String?] { seen.withLock { $0.map(\.agent) } }

    /// Runs it, and a geocoder that asks it.
    func run<Value: Sendable>(
        rate: Int = 1_000,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ScriptedUpstream.start },
        change: @Sendable (inout NominatimSettings) -> Void = { _ in },
        _ body: @Sendable (NominatimGeocoder) async throws -> Value
    ) async throws -> Value {
        let application = Application(
            responder: CallbackResponder<BasicRequestContext> { request, _ in
                self.seen.withLock { $0.append((request.uri.string, request.headers[.userAgent])) }
                return try await self.script(request)
            },
            logger: Logger(label: "upstream") { _ in SwiftLogNoOpLogHandler() }
        )
        return try await application.test(.live) { client in
            let port = try #require(client.port)
            var settings = try NominatimSettings("http://127.0.0.1:\(port)", rate: rate, agent: "Yonder/test")
            // A machine that does much else answers late; a test about time sets its own.
            settings.timeout = .seconds(60)
            change(&settings)
            let geocoder = NominatimGeocoder(settings, logger: Logger(label: "test"), now: now)
            do {
                let value = try await body(geocoder)
                try await geocoder.shutdown()
                return value
            } catch {
                try await geocoder.shutdown()
                throw error
            }
        }
    }
}

extension Response {
    /// A JSON text.
    static func json(_ text: String, _ status: HTTPResponse.Status = .ok, headers: HTTPFields = [:])
        -> Response
    {
        Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
