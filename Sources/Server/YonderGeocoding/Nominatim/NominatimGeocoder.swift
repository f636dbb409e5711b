import AsyncHTTPClient
package import Logging
import NIOCore
import NIOHTTP1
import NIOSSL
import ServiceLifecycle
import Synchronization
import YonderGeodesy
package import YonderModel
import YonderRules
import YonderJSON

/// Reserves a turn for a request to a host, at most one turn in an interval.
///
/// Returns the time until the turn; `nil`, with no turn reserved, if this would be longer than the patience.
package typealias GeocoderTurn =
    @Sendable (_ host: String, _ interval: Duration, _ patience: Duration) async throws(SharingError) ->
    Duration?

/// A client of a Nominatim server: streets and houses, with a rate limit, and a cache that holds answers for a day.
///
/// A request fails at once if the rate limit would make it wait longer than ``NominatimSettings/patience``, and during
/// the backoff after failures. The rate limit counts the requests of this server, or of all servers of a database
/// together. Text that is still being typed is never sent. Redirects aren't followed.
///
/// `ServerProcess` makes one for `--geocoder` and runs it as a service, which closes its connections at the end;
/// `GeocodingEndpoints` and `PlaceNaming` ask, on any thread. Every failure is `geocoderUnavailable`, after which
/// `FallbackGeocoder` asks the gazetteer. The rate limit and the rounding of what is sent must stay, as the server's
/// rules and the user's privacy ask for them (`NominatimGeocoderTests`, `UpstreamValueTests`). The size of the cache may
/// be changed.
package final class NominatimGeocoder: Geocoder, Service {
    private struct State {
        var bucket: TokenBucket
        var rest = UpstreamRest()
        var searches: AnswerCache<[GeocodingCandidate]>
        var places: AnswerCache<GeocodingCandidate?>
    }

    private let settings: NominatimSettings
    private let client: HTTPClient
    private let logger: Logger
    private let now: @Sendable () -> ContinuousClock.Instant
    private let turn: GeocoderTurn?
    private let state: Mutex<State>

    /// Creates a geocoder; it sends nothing before the first request.
    ///
    /// ``run()`` or ``shutdown()`` must follow. `turn` reserves turns for all servers of a database together; with `nil`
    /// each server has a rate limit of its own.
    package init(
        _ settings: NominatimSettings,
        logger: Logger,
        turn: GeocoderTurn? = nil,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.settings = settings
        self.logger = logger
        self.now = now
        self.turn = turn
        let timeout = TimeAmount.nanoseconds(Int64(settings.timeout / .nanoseconds(1)))
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        client = HTTPClient(
            eventLoopGroupProvider: .singleton,
            configuration: HTTPClient.Configuration(
                tlsConfiguration: tls,
                redirectConfiguration: .disallow,
                timeout: HTTPClient.Configuration.Timeout(connect: timeout, read: timeout)
            )
        )
        let (capacity, lifetime) = (settings.cacheCapacity, settings.cacheLifetime)
        state = Mutex(
            State(
                bucket: TokenBucket(RateLimit(burst: 1, interval: .seconds(1) / settings.rate)),
                searches: AnswerCache(capacity: capacity, lifetime: lifetime),
                places: AnswerCache(capacity: capacity, lifetime: lifetime)
            )
        )
    }

    /// Logs whether the server answers, and closes the connections to it when the program ends.
    package func run() async throws {
        do throws(SharingError) {
            try await checkStatus()
            logger.info("Addresses are looked up elsewhere", metadata: ["host": "\(settings.host)"])
        } catch {
            logger.warning("The geocoder can't be used now", metadata: ["error": "\(error.message)"])
        }
        try? await gracefulShutdown()
        try await shutdown()
    }

    /// Closes the connections.
    package func shutdown() async throws {
        try await client.shutdown()
    }

    package func search(_ query: GeocodingQuery) async throws(SharingError) -> [GeocodingCandidate] {
        let request = NominatimRequest(query)
        if let known = known(request, \.searches) { return known }
        guard !query.isPartial else {
            throw SharingError(
                .geocoderUnavailable,
                "\(settings.host) can't be searched while text is being typed; send the whole text, without partial=true."
            )
        }
        try await waitForTurn()
        // Another caller may have got the same answer meanwhile.
        if let known = known(request, \.searches) { return known }
        let places = try await answer(request) { [settings] bytes throws(JSONFault) in
            try NominatimAnswer.places(bytes, limit: query.limit, host: settings.host)
        }
        keep(places, request, \.searches)
        return places
    }

    package func reverse(_ query: ReverseGeocodingQuery) async throws(SharingError) -> [NearbyCandidate] {
        let place = try await place(NominatimRequest(query))
        guard let place else { return [] }
        return [NearbyCandidate(place, distance: place.coordinate.distance(to: query.coordinate))]
    }

    /// Asks whether the server is well.
    ///
    /// - Throws: `geocoderUnavailable` if it isn't.
    package func checkStatus() async throws(SharingError) {
        try await waitForTurn()
        let isWell = try await answer(.status) { bytes throws(JSONFault) in
            try NominatimAnswer.isWell(bytes)
        }
        guard isWell else {
            throw SharingError(
                .geocoderUnavailable,
                "\(settings.host) answered with an error; try again later."
            )
        }
    }

    private func place(_ request: NominatimRequest) async throws(SharingError) -> GeocodingCandidate? {
        if let known = known(request, \.places) { return known }
        try await waitForTurn()
        if let known = known(request, \.places) { return known }
        let place = try await answer(request) { [settings] bytes throws(JSONFault) in
            try NominatimAnswer.place(bytes, host: settings.host)
        }
        keep(place, request, \.places)
        return place
    }

    private func known<Answer: Sendable>(
        _ request: NominatimRequest,
        _ cache: WritableKeyPath<State, AnswerCache<Answer>>
    ) -> Answer? {
        let now = now()
        return state.withLock { $0[keyPath: cache].answer(to: request.target, at: now) }
    }

    private func keep<Answer: Sendable>(
        _ answer: Answer,
        _ request: NominatimRequest,
        _ cache: WritableKeyPath<State, AnswerCache<Answer>>
    ) {
        let now = now()
        state.withLock { $0[keyPath: cache].keep(answer, to: request.target, at: now) }
    }

    /// Waits as long as the rate limit requires.
    private func waitForTurn() async throws(SharingError) {
        let (now, patience) = (now(), settings.patience)
        var wait: Duration? = state.withLock { state in
            guard state.rest.allowsAsking(at: now) else { return nil }
            return turn == nil ? state.bucket.reserve(patience: patience, at: now) : .zero
        }
        if let turn, wait != nil {
            wait = try await turn(settings.host, .seconds(1) / settings.rate, patience)
        }
        guard let wait else {
            throw SharingError(
                .geocoderUnavailable,
                "The rate limit for \(settings.host) is used up; try again after retryAfter.",
                retryAfter: settings.patience
            )
        }
        guard wait > .zero else { return }
        do {
            try await Task.sleep(for: wait)
        } catch {
            throw SharingError(.geocoderUnavailable, "The search was canceled.")
        }
    }

    /// Sends a request and reads its answer; the result updates the backoff.
    private func answer<Answer: Sendable>(
        _ request: NominatimRequest,
        _ read: ([UInt8]) throws(JSONFault) -> Answer
    ) async throws(SharingError) -> Answer {
        do {
            let answer = try read(try await bytes(request))
            state.withLock { $0.rest.succeeded() }
            return answer
        } catch {
            // A cancelled request is no failure of the server.
            if !Task.isCancelled { note(error) }
            throw SharingError(.geocoderUnavailable, "\(settings.host) failed to answer.")
        }
    }

    private func note(_ error: any Error) {
        let now = now()
        let retryAfter = (error as? NominatimFailure)?.retryAfter
        state.withLock { $0.rest.failed(at: now, retryAfter: retryAfter) }
        let text = "\(error)".utf8.logged(atMost: 500)
        logger.debug("A geocoder failed", metadata: ["host": "\(settings.host)", "error": "\(text)"])
    }

    /// The body of the answer, whose whole must come in time, not only its head.
    private func bytes(_ request: NominatimRequest) async throws -> [UInt8] {
        let (client, settings) = (client, settings)
        return try await withThrowingTaskGroup(of: [UInt8].self) { group in
            group.addTask { try await Self.fetch(request, client, settings) }
            group.addTask {
                try await Task.sleep(for: settings.timeout)
                throw NominatimFailure.timedOut
            }
            defer { group.cancelAll() }
            return try await group.next() ?? []
        }
    }

    private static func fetch(
        _ request: NominatimRequest,
        _ client: HTTPClient,
        _ settings: NominatimSettings
    ) async throws -> [UInt8] {
        var question = HTTPClientRequest(url: settings.base + request.target)
        question.headers.add(name: "User-Agent", value: settings.agent)
        question.headers.add(name: "Accept", value: "application/json")
        let timeout = TimeAmount.nanoseconds(Int64(settings.timeout / .nanoseconds(1)))
        let answer = try await client.execute(question, timeout: timeout)
        guard answer.status == .ok else {
            let seconds = answer.headers.first(name: "Retry-After").flatMap { Int64($0) }
            throw NominatimFailure.refused(answer.status.code, retryAfter: seconds.map { .seconds($0) })
        }
        return Array(try await answer.body.collect(upTo: settings.answerLimit).readableBytesView)
    }
}

/// Why there is no answer, where the HTTP client has no word for it.
private enum NominatimFailure: Error {
    case timedOut
    case refused(UInt, retryAfter: Duration?)

    /// How long the server wants to be left alone.
    var retryAfter: Duration? {
        guard case .refused(let status, let retryAfter) = self, status == 429 || status == 503 else {
            return nil
        }
        return retryAfter
    }
}
