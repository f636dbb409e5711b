import NIOCore
import NIOHTTP1
import Synchronization

/// One connection's entry in the admission rules.
///
/// `ConnectionGate` makes one for each connection; its handlers and `RESTRoutes` call it, on any thread. Nothing fails;
/// after the connection has closed a call does nothing. Whom it counts for, and which connection is closed at a limit,
/// is decided in `Admission` (`AdmissionTests`).
package final class ConnectionTicket: Sendable {
    /// The connection of the request that is being answered; `nil` outside of a request.
    @TaskLocal package static var current: ConnectionTicket?

    private let id: Admission.ID
    private let gate: ConnectionGate

    /// Whether a request has begun.
    private let hasBegun = Atomic<Bool>(false)

    /// Whether the peer is a trusted proxy.
    let isProxied: Bool

    init(id: Admission.ID, isProxied: Bool, gate: ConnectionGate) {
        self.id = id
        self.isProxied = isProxied
        self.gate = gate
    }

    /// Call this when data arrived from the peer.
    func heard() {
        gate.heard(id)
    }

    /// Call this when the client has signed in: the connection counts for the person with that number from now on.
    ///
    /// A trusted proxy's connection does so only until ``ended()``.
    package func signedIn(_ person: Int64) {
        gate.move(id, to: .person(person))
    }

    /// Called when a request begins; a proxy may have forwarded it for another address.
    func began(_ head: HTTPRequestHead, from peer: SocketAddress?) {
        guard isProxied else {
            guard !hasBegun.exchange(true, ordering: .relaxed) else { return }
            return gate.look(at: head, from: peer)
        }
        gate.move(id, to: .address(gate.network(of: head, from: peer)))
    }

    /// Call this when every request has been answered: a proxy may send the next one for another client.
    func ended() {
        if isProxied { gate.move(id, to: .proxy) }
    }
}
