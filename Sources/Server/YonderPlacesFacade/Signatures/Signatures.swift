import Synchronization
import YonderAccounts
import YonderGeodesy
import YonderHub
import YonderModel
import YonderRules

/// The sender of a request: its rights, and the holder of the limits of what it may write.
struct FacadeCaller: Hashable, Sendable {
    let rights: ObjectCaller

    /// The key and the network address, or `nil` if the request isn't signed.
    let writer: Writer?

    /// The right by which the request writes; an unsigned one never does.
    let warrant: Warrant

    static let anyone = FacadeCaller(rights: .anyone, writer: nil, warrant: .signingKey(""))

    /// By whom a query waits, of an unsigned request the network.
    func turn(at network: String) -> TurnTaker {
        writer.map(TurnTaker.writer) ?? .stranger(network)
    }
}

/// Verifies the signatures of requests.
///
/// A nonce is first looked up in this server's memory, whose limits each server has by itself. With a `record`, a nonce
/// that is new to this server is then recorded for all servers.
///
/// `PlacesFacade` calls ``caller(of:method:paths:network:)`` once for each request, before anything else is done for it,
/// on any thread. A refusal has that API's status, and a wrong signature counts as an attempt of its network.
/// `Unavailable` is thrown if the key or the nonce can't be looked up: the request isn't admitted.
///
/// The texts that are signed, the order of the checks and the statuses must stay: apps that nobody updates rely on them
/// (`Documentation/places-facade.md`, `SignatureTests`). A comparison must not end at the first
/// different byte.
final class Signatures: Sendable {
    private let keys: any KeyStore
    private let now: @Sendable () -> Timestamp
    private let uptime: @Sendable () -> ContinuousClock.Instant

    /// The time at which this server began to remember nonces.
    private let start: Timestamp

    private let nonces: Mutex<NonceMemory>
    private let record: NonceRecord?
    private let attempts: Mutex<AttemptLimiter>

    init(
        keys: any KeyStore,
        nonces: NonceMemory,
        record: NonceRecord? = nil,
        attempts: AttemptLimiter,
        now: @escaping @Sendable () -> Timestamp,
        uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.keys = keys
        self.nonces = Mutex(nonces)
        self.record = record
        self.attempts = Mutex(attempts)
        self.now = now
        self.uptime = uptime
        start = now()
    }

    /// Returns the caller with the rights of its key: owner or member, or anyone if the request isn't signed.
    ///
    /// `paths` are those that the client may have signed.
    ///
    /// - Throws: The statuses of signatures, `TooManyRequests`, `Unavailable`.
    func caller(
        of parameters: FormParameters,
        method: String,
        paths: [String],
        network: String
    ) async throws(FacadeRefusal) -> FacadeCaller {
        guard let claim = try SignatureClaim(parameters) else { return .anyone }
        try claim.checkTime(at: now())
        try checkStart(claim, method)
        let texts = paths.map { RequestSignature.text(of: parameters, method: method, path: $0) }
        let key = try await verified(claim, texts, network)
        try await useNonce(of: claim, key.id)
        return FacadeCaller(
            rights: key.rights == .write ? .owner : .member,
            writer: .app(key: key.id, network: network),
            warrant: .signingKey(key.id)
        )
    }

    private func useNonce(of claim: SignatureClaim, _ key: String) async throws(FacadeRefusal) {
        let moment = now()
        switch nonces.withLock({ $0.take(claim.nonce, of: key, signed: claim.time, at: moment) }) {
        case .fresh: break
        case .used: throw Self.usedNonce
        case .full:
            throw FacadeRefusal(.tooManyRequests, "Too many requests.", retryAfter: .seconds(60))
        }
        guard let record else { return }
        let mark = NonceMemory.Mark(key, claim.nonce).bytes
        let until = max(claim.time, moment) + SignatureClaim.tolerance
        let isFirst = try await translated { () async throws(SharingError) in try await record(mark, until) }
        guard isFirst else { throw Self.usedNonce }
    }

    private static var usedNonce: FacadeRefusal {
        FacadeRefusal(.usedNonce, "nonce was used before; send another one.")
    }

    /// Refuses a write that was signed before the server started: its nonce may have been used with the
    /// previous process.
    ///
    /// With a `record`, nonces outlast the process, and a request from before the start is accepted.
    private func checkStart(_ claim: SignatureClaim, _ method: String) throws(FacadeRefusal) {
        guard record == nil, method != "GET", method != "HEAD", claim.time < start else { return }
        throw FacadeRefusal(.expiredTime, "The request was signed before the server started; sign it again.")
    }

    /// Returns the key that signed; a failed attempt counts for the network, as with sign-ins.
    private func verified(_ claim: SignatureClaim, _ texts: [String], _ network: String)
        async throws(FacadeRefusal) -> SigningKey
    {
        let tried: [AttemptLimiter.Key] = [.address(network)]
        if let wait = attempts.withLock({ $0.attempt(tried, at: uptime()) }) {
            throw FacadeRefusal(.tooManyRequests, "Too many attempts.", retryAfter: wait)
        }
        let found = try await translated { () async throws(SharingError) in
            try await keys.signingKey(claim.key)
        }
        guard let found else {
            throw FacadeRefusal(.invalidApiKey, "key isn't the id of a key.")
        }
        guard RequestSignature.isValid(claim.signature, for: texts, secret: found.secret) else {
            throw FacadeRefusal(.invalidSignature, "signature isn't that of this request with this key.")
        }
        attempts.withLock { $0.succeed(tried) }
        return found.key
    }
}
