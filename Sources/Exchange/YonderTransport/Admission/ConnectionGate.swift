import NIOCore
import NIOHTTP1
import Synchronization

/// Applies ``Admission`` to every connection, and closes those that are displaced.
///
/// `ServerAssembly` has one: `ClientConnections` admits each connection when it is accepted, its `ConnectionTicket` says
/// when it is heard from and whose it is, `DrainService` closes all at the end. Nothing is refused here but by closing.
/// Channels are closed outside the mutex, which must stay, because closing calls back. Who is displaced is decided by
/// `Admission` (`AdmissionTests`, `DrainTests`, `Documentation/operations.md`).
package final class ConnectionGate: Sendable {
    /// Receives what a connection gate does, for logs and metrics; called from any thread.
    package struct Observer: Sendable {
        /// Called with the numbers of connections that count for addresses and for people, when these change.
        package var counted: @Sendable (_ anonymous: Int, _ people: Int) -> Void

        /// Called with each connection that is closed to make room.
        package var displaced: @Sendable (Admission.Displacement) -> Void

        /// Called once for a connection whose first request was forwarded, with the address of its peer, which isn't listed
        /// as a proxy.
        package var unlisted: @Sendable (IPAddress) -> Void

        package init(
            counted: @escaping @Sendable (_ anonymous: Int, _ people: Int) -> Void = { _, _ in },
            displaced: @escaping @Sendable (Admission.Displacement) -> Void = { _ in },
            unlisted: @escaping @Sendable (IPAddress) -> Void = { _ in }
        ) {
            self.counted = counted
            self.displaced = displaced
            self.unlisted = unlisted
        }
    }

    private struct State {
        var admission: Admission
        var channels: [Admission.ID: any Channel] = [:]
    }

    private let state: Mutex<State>
    private let proxies: TrustedProxies
    private let observer: Observer

    package init(limits: Admission.Limits, proxies: TrustedProxies = .none, observer: Observer = Observer()) {
        state = Mutex(State(admission: Admission(limits)))
        self.proxies = proxies
        self.observer = observer
    }

    /// The open connections.
    var channels: [any Channel] { state.withLock { Array($0.channels.values) } }

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
    func network(of head: HTTPRequestHead, from peer: SocketAddress?) -> String {
        proxies.client(from: peer) { head.headers[$0] }.network
    }

    /// Reports a connection that isn't from a listed proxy, if its request has a header that proxies add.
    func look(at head: HTTPRequestHead, from peer: SocketAddress?) {
        guard Self.forwarding.contains(where: head.headers.contains),
            let address = peer.flatMap({ IPAddress($0) })
        else { return }
        observer.unlisted(address)
    }

    private static let forwarding = ["x-forwarded-for", "x-forwarded-proto", "forwarded"]

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
    }

    private static func take(_ displacement: Admission.Displacement?, _ state: inout State) -> Closing? {
        guard let displacement else { return nil }
        return Closing(
            channel: state.channels.removeValue(forKey: displacement.id),
            displacement: displacement
        )
    }

    private func close(_ closing: Closing?) {
        guard let closing else { return }
        observer.displaced(closing.displacement)
        closing.channel?.pipeline.fireUserInboundEventTriggered(ConnectionCut())
    }

    private func report() {
        let (anonymous, people) = state.withLock { ($0.admission.anonymousCount, $0.admission.peopleCount) }
        observer.counted(anonymous, people)
    }
}
