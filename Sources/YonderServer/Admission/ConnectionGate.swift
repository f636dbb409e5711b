import HTTPTypes
import Logging
import Metrics
import NIOCore
import Synchronization
import YonderModel

/// Applies ``Admission`` to every connection, and closes those that are displaced.
package final class ConnectionGate: Sendable {
    private struct State {
        var admission: Admission
        var channels: [Admission.ID: any Channel] = [:]
        var warnings = TokenBucket(RateLimit(burst: 5, interval: .seconds(60)))
    }

    private let state: Mutex<State>
    private let proxies: TrustedProxies
    private let logger: Logger
    private let factory: any MetricsFactory
    private let anonymous: Meter
    private let people: Meter

    init(
        limits: Admission.Limits,
        proxies: TrustedProxies = .none,
        logger: Logger,
        factory: any MetricsFactory
    ) {
        state = Mutex(State(admission: Admission(limits)))
        self.proxies = proxies
        self.logger = logger
        self.factory = factory
        anonymous = Meter(label: "yonder_connections", dimensions: [("kind", "anonymous")], factory: factory)
        people = Meter(label: "yonder_connections", dimensions: [("kind", "signed in")], factory: factory)
        Meter(label: "yonder_connections_limit", factory: factory).set(limits.connections)
    }

    /// Adds a connection, which is removed again when it closes.
    func admit(_ channel: any Channel) -> ConnectionTicket {
        let isProxied = proxies.trusts(channel.remoteAddress)
        let holder: Admission.Holder =
            isProxied ? .proxy : .address(TrustedProxies.network(of: channel.remoteAddress))
        let (id, displaced) = state.withLock { state in
            let (id, displaced) = state.admission.open(holder)
            state.channels[id] = channel
            return (id, Self.take(displaced, &state))
        }
        close(displaced)
        channel.closeFuture.whenComplete { [self] _ in closed(id) }
        report()
        return ConnectionTicket(id: id, isProxied: isProxied, gate: self)
    }

    /// The network of the client for which a trusted proxy forwarded a request.
    func network(of head: HTTPRequest, from peer: SocketAddress?) -> String {
        proxies.client(of: head, from: peer).network
    }

    func heard(_ id: Admission.ID) {
        state.withLock { $0.admission.heard(id) }
    }

    func move(_ id: Admission.ID, to holder: Admission.Holder) {
        let displaced = state.withLock { state in
            Self.take(state.admission.move(id, to: holder), &state)
        }
        close(displaced)
        report()
    }

    private func closed(_ id: Admission.ID) {
        state.withLock { state in
            state.admission.closed(id)
            state.channels[id] = nil
        }
        report()
    }

    // MARK: Closing displaced connections

    private struct Closing {
        let channel: (any Channel)?
        let displacement: Admission.Displacement
        let isLogged: Bool
    }

    private static func take(_ displacement: Admission.Displacement?, _ state: inout State) -> Closing? {
        guard let displacement else { return nil }
        return Closing(
            channel: state.channels.removeValue(forKey: displacement.id),
            displacement: displacement,
            isLogged: state.warnings.take(at: .now) == nil
        )
    }

    private func close(_ closing: Closing?) {
        guard let closing else { return }
        let bound = closing.displacement.bound
        Counter(
            label: "yonder_connections_displaced_total",
            dimensions: [("bound", bound.rawValue)],
            factory: factory
        ).increment()
        if closing.isLogged {
            logger.warning(
                "\(Self.reason(bound))",
                metadata: ["for": "\(Self.name(closing.displacement.holder))"]
            )
        }
        closing.channel?.pipeline.fireUserInboundEventTriggered(ConnectionCut())
    }

    private static func reason(_ bound: Admission.Bound) -> String {
        let gaveWay = "the connection silent for longest gave way"
        return switch bound {
        case .address:
            "An address has as many connections without an account as it may (--max-address-connections): \(gaveWay). "
                + "If that is a proxy of yours, list it with --proxy."
        case .anonymous: "There are as many connections without an account as there may be: \(gaveWay)."
        case .connections: "There are as many connections as there may be (--max-connections): \(gaveWay)."
        case .people:
            "There are as many connections of people as there may be (--max-connections): \(gaveWay)."
        case .person: "A person has as many connections as one may have: \(gaveWay)."
        }
    }

    private static func name(_ holder: Admission.Holder) -> String {
        switch holder {
        case .address(let network): network
        case .proxy: "a proxy"
        case .person(let user): "user \(user)"
        }
    }

    private func report() {
        let (strangers, signedIn) = state.withLock { ($0.admission.anonymousCount, $0.admission.peopleCount) }
        anonymous.set(strangers)
        people.set(signedIn)
    }
}

/// The event by which a connection's handlers close it at once, to make room for another connection.
struct ConnectionCut: Sendable {}

/// One connection's entry in the admission rules.
package final class ConnectionTicket: Sendable {
    /// The connection of the request that is being answered; `nil` outside of a request.
    @TaskLocal static var current: ConnectionTicket?

    private let id: Admission.ID
    private let gate: ConnectionGate

    /// Whether the peer is a trusted proxy.
    let isProxied: Bool

    fileprivate init(id: Admission.ID, isProxied: Bool, gate: ConnectionGate) {
        self.id = id
        self.isProxied = isProxied
        self.gate = gate
    }

    /// Call this when data arrived from the peer.
    func heard() {
        gate.heard(id)
    }

    /// Call this when the client has signed in: the connection counts for that user from now on.
    ///
    /// A trusted proxy's connection does so only until ``ended()``.
    func signedIn(_ user: UserID) {
        gate.move(id, to: .person(user))
    }

    /// Called when a request begins; a proxy may have forwarded it for another address.
    func began(_ head: HTTPRequest, from peer: SocketAddress?) {
        guard isProxied else { return }
        gate.move(id, to: .address(gate.network(of: head, from: peer)))
    }

    /// Call this when every request has been answered: a proxy may send the next one for another client.
    func ended() {
        if isProxied { gate.move(id, to: .proxy) }
    }
}
