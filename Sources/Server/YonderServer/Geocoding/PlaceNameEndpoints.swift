import Hummingbird
import Synchronization
import YonderAccounts
import YonderGeodesy
import YonderModel
import YonderRules
import YonderJSON
import YonderREST

/// Names for people's positions, many in one request, by those who are signed in.
///
/// By POST, so that no position stands in a log of addresses.
///
/// `ServerAssembly` registers it; it answers one request from `PlaceNaming`, in the order of the positions, `null` where
/// nothing is known. A refusal is `missingField`, `invalidField`, also for too many positions, or `tooManyRequests`.
/// Path and members must stay (`Documentation/rest.md`, `openapi.yaml`, `PlaceNameTests`); ``limit`` is promised there,
/// too.
struct PlaceNameEndpoints: Sendable {
    /// The most positions of a request.
    static let limit = 50

    /// Twenty requests at once and two a second: a page asks for all the people it shows in one.
    private static let rate = RateLimit(burst: 20, interval: .milliseconds(500))

    private let naming: PlaceNaming
    private let limiter = Limiter()
    private let uptime: @Sendable () -> ContinuousClock.Instant

    /// The requests of each caller.
    private final class Limiter: Sendable {
        let requests = Mutex(RateLimiter<UserID> { _ in rate })
    }

    init(naming: PlaceNaming, uptime: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.naming = naming
        self.uptime = uptime
    }

    func register(in routes: RESTRoutes) {
        routes.on(.post, "/v1/geocoding/names") { call throws(SharingError) in
            try await names(call)
        }
    }

    private func names(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let body = try await call.body(["positions", "language"])
        guard let positions = try body.positions("positions") else {
            throw SharingError(.missingField, "positions is missing.")
        }
        guard positions.count <= Self.limit else {
            throw SharingError(
                .invalidField,
                "positions has \(positions.count) entries; send at most \(Self.limit)."
            )
        }
        let language = try body.string("language").flatMap { LanguageTag($0) }
        let (caller, now) = (try call.caller.user, uptime())
        let wait = limiter.requests.withLock { $0.take([caller], at: now) }
        if let wait {
            throw SharingError(
                .tooManyRequests,
                "Too many requests for names; wait for retryAfter.",
                retryAfter: wait
            )
        }
        var names: [PlaceName?] = []
        for position in positions {
            names.append(
                await naming.name(at: position.coordinate, accuracy: position.accuracy, language: language)
            )
        }
        return .json { writer in
            writer.raw("{\"names\":")
            writer.list(names) { $0.placeName($1) }
            writer.raw("}")
        }
    }
}

extension JSONWriter {
    fileprivate mutating func placeName(_ name: PlaceName?) {
        guard let name else { return raw("null") }
        raw("{\"distance\":")
        double(name.distance.meters.rounded())
        if let street = name.street {
            raw(",\"street\":")
            string(street)
        }
        if let settlement = name.settlement {
            raw(",\"settlement\":")
            string(settlement)
        }
        raw("}")
    }
}
