import NIOCore
import Synchronization
import YonderHub
import YonderLink
import YonderModel
import YonderWire

@testable import YonderClient

/// A connection of a client to an exchange, in memory, which a test cuts, holds, and lets refuse and end subscriptions.
final class ModelLink: Sendable {
    private struct State {
        /// The topics of the subscriptions that the server answers.
        var topics: [Int64: Int64] = [:]

        /// The subscriptions that the client has ended, until the server has let them go: an answer to one may still be on its way, and
        /// its topic is the next one's to the same query.
        var ending: Set<Int64> = []

        /// Those that were taken from the client: their frames are dropped until the server has let them go.
        var taken: [Int64: Int64] = [:]

        /// The refusals that the client is sent when the server has answered all before, which a ping shows.
        var refused: [FrameRefusal] = []
    }

    /// The client's end.
    let client: MemoryLink

    private let server: MemoryLink
    private let faults: ModelFaults
    private let state = Mutex(State())
    private let transport: NIOLoopBoundBox<ModelTransport?>

    private init(_ eventLoop: any EventLoop, _ faults: ModelFaults) async throws {
        (client, server) = MemoryLink.pair()
        self.faults = faults
        transport = try await eventLoop.submit { NIOLoopBoundBox(nil, eventLoop: eventLoop) }.get()
    }

    /// Opens a connection of a user.
    static func open(
        _ user: User,
        to exchange: Exchange,
        on eventLoop: any EventLoop,
        _ faults: ModelFaults
    ) async throws -> ModelLink {
        let link = try await ModelLink(eventLoop, faults)
        try await eventLoop.submit {
            let transport = ModelTransport(
                eventLoop,
                handOn: { link.handOn($0) },
                onClose: { link.cut() }
            )
            guard let loop = exchange.loop(on: eventLoop) else { throw ChannelError.unknownLocalAddress }
            link.transport.value = transport
            // The session is kept by its loop.
            transport.session = loop.open(transport, user: user)
        }.get()
        return link
    }

    /// Passes the client's frames to the server until the connection ends.
    func serve() async {
        do throws(LinkClosure) {
            while true {
                for text in try await server.next() { receive(text) }
            }
        } catch {
            onLoop { transport in
                transport.session?.closed()
                transport.session = nil
            }
            onLoop { _ in self.transport.value = nil }
        }
    }

    /// Breaks the connection.
    func cut() {
        server.close()
    }

    /// Has the client read nothing, or go on.
    func hold(_ isHeld: Bool) {
        onLoop { $0.hold(isHeld) }
    }

    /// Ends a subscription that the server answers, as a server does that can't read its store.
    func end(_ error: SharingError, using random: inout some RandomNumberGenerator) {
        let choice = random.next()
        state.withLock { state in
            let ids = state.topics.keys.filter { state.taken[$0] == nil }.sorted()
            guard !ids.isEmpty else { return }
            let id = ids[Int(choice % UInt64(ids.count))]
            guard let topic = state.topics.removeValue(forKey: id) else { return }
            state.taken[id] = topic
            pass(ClientFrame.unsubscribe(id: id).encoded())
            server.write(ServerFrame.ended(id: id, topic: topic, error).encoded())
        }
    }

    private func onLoop(_ body: @escaping @Sendable (ModelTransport) -> Void) {
        transport.eventLoop.execute { [transport] in
            if let transport = transport.value { body(transport) }
        }
    }

    // MARK: - Frames of the client

    private func receive(_ text: [UInt8]) {
        let frame = try? text.withUnsafeBytes { try ClientFrame.parse($0) }
        // The server is sent in the order in which this knows what it answers.
        state.withLock { state in
            if case .subscribe(let id, _)? = frame, let error = faults.refusal() {
                state.refused.append(FrameRefusal(error, id: id))
                return pass(ClientFrame.ping.encoded())
            }
            if case .unsubscribe(let id)? = frame {
                state.topics[id] = nil
                state.ending.insert(id)
            }
            pass(text)
        }
    }

    private func pass(_ text: [UInt8]) {
        onLoop { $0.receive(ByteBuffer(bytes: text)) }
    }

    // MARK: - Frames of the server

    private func handOn(_ text: String) {
        let bytes = Array(text.utf8)
        let frame = try? bytes.withUnsafeBytes { try ServerFrame.parse($0) }
        // In one step, so that nothing of a subscription comes behind its end.
        state.withLock { state in
            if let frame, isPassed(frame, &state) { server.write(bytes) }
        }
    }

    private func isPassed(_ frame: ServerFrame, _ state: inout State) -> Bool {
        switch frame.destination {
        case .subscription(let id, let topic):
            guard state.taken[id] == nil else { return false }
            if !state.ending.contains(id) { state.topics[id] = topic }
        case .topic(let topic): return !state.taken.values.contains(topic)
        case .unsubscribed(let id):
            guard state.taken.removeValue(forKey: id) == nil else { return false }
            state.ending.remove(id)
        case .ended(let id, _):
            state.topics[id] = nil
            return state.taken[id] == nil
        case .refused(let refusal):
            guard let id = refusal.id else { return true }
            state.ending.remove(id)
            // The server had ended by itself what was taken.
            if state.taken.removeValue(forKey: id) != nil { return false }
            state.topics[id] = nil
            faults.refused(refusal)
        case .connection, .request, .question, nil: break
        }
        guard case .pong = frame, !state.refused.isEmpty else { return true }
        server.write(ServerFrame.error(state.refused.removeFirst()).encoded())
        return false
    }
}
