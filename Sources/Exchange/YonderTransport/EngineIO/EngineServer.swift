package import NIOCore
import NIOHTTP1
import Synchronization
import YonderJSON
import YonderWire

/// A reference to an Engine.IO session that can be used from any thread.
struct EngineHandle: Sendable {
    private let connection: NIOLoopBound<EngineConnection>
    let eventLoop: any EventLoop

    /// Creates a handle; must be called on the session's event loop.
    init(_ connection: EngineConnection) {
        eventLoop = connection.eventLoop
        self.connection = NIOLoopBound(connection, eventLoop: connection.eventLoop)
    }

    /// Runs `body` on the session's event loop later.
    func execute(_ body: @escaping @Sendable (EngineConnection) -> Void) {
        eventLoop.execute { body(connection.value) }
    }

    /// Runs `body` on the session's event loop, and returns the result.
    func run<Result: Sendable>(
        _ body: @escaping @Sendable (EngineConnection) -> Result
    ) async throws -> Result {
        try await eventLoop.submit { body(connection.value) }.get()
    }
}

/// An Engine.IO server for both protocol generations: opens sessions and finds them.
///
/// Sessions belong to event loops. The server finds them by their key, which has 160 random bits.
///
/// A key that no session has is refused, or asked of the node that it names. Over the limit of sessions a new one is refused. What
/// sessions hold whose clients neither poll nor have a WebSocket is bounded by ``UnpolledSessions``, which closes others for it. A
/// session leaves the table when it ends, once. Keys must stay unguessable, since a key is all that a request of a session has.
package final class EngineServer: Sendable {
    package let settings: EngineSettings
    private let group: any EventLoopGroup

    /// Forwards requests for sessions of other servers; `nil` for a server that is alone.
    let relay: (any EngineRelay)?
    private let start: @Sendable (EngineConnection) -> any WebSocketDelegate

    private struct State {
        var sessions: [String: EngineHandle] = [:]
        var unpolled: UnpolledSessions

        /// The handles of the sessions in `unpolled`, by their numbers.
        var handles: [Int: EngineHandle] = [:]

        /// Whether a timer will close sessions that aren't polled.
        var isTimed = false

        /// Removes the handles of sessions that `unpolled` has let go.
        mutating func take(_ numbers: [Int]) -> [EngineHandle] {
            numbers.compactMap { handles.removeValue(forKey: $0) }
        }
    }

    private let state: Mutex<State>

    /// How many sessions were opened.
    private let opened = Atomic(0)

    /// - Parameters:
    ///   - settings: The settings for sessions.
    ///   - group: The event loops for sessions that begin by polling.
    ///   - relay: Forwards requests to the servers of their sessions; `nil` for a server that is alone.
    ///   - start: Creates the delegate that receives a session's messages, on its event loop. The delegate
    ///     may send at once.
    package init(
        settings: EngineSettings,
        group: any EventLoopGroup,
        relay: (any EngineRelay)? = nil,
        start: @escaping @Sendable (EngineConnection) -> any WebSocketDelegate
    ) {
        self.settings = settings
        self.group = group
        self.relay = relay
        self.start = start
        state = Mutex(State(unpolled: UnpolledSessions(settings.unpolled)))
    }

    /// The number of open sessions.
    package var sessionCount: Int { state.withLock { $0.sessions.count } }

    func session(_ id: String) -> EngineHandle? {
        state.withLock { $0.sessions[id] }
    }

    // MARK: Opening sessions

    /// Opens a session that polls, and returns the body of the first answer.
    func open(_ request: EngineRequest, version: EngineVersion, from network: String) async throws -> (
        bytes: [UInt8], isBinary: Bool
    ) {
        let eventLoop = group.next()
        return try await eventLoop.submit {
            let connection = self.make(request, version, from: network, socket: nil, eventLoop: eventLoop)
            let body = connection.body(of: [connection.greeting])
            connection.start(delegate: self.start)
            return body
        }.get()
    }

    private func make(
        _ request: EngineRequest,
        _ version: EngineVersion,
        from network: String,
        socket: EngineSocket?,
        eventLoop: any EventLoop
    ) -> EngineConnection {
        let connection = EngineConnection(
            id: (relay?.keyPrefix ?? "") + Self.randomID(),
            number: opened.wrappingAdd(1, ordering: .relaxed).newValue,
            request: request,
            version: version,
            socket: socket,
            network: network,
            eventLoop: eventLoop,
            settings: settings,
            onHold: { [weak self] connection, bytes in self?.hold(connection, bytes) },
            onEnd: { [weak self] connection in self?.forget(connection) }
        )
        let handle = EngineHandle(connection)
        state.withLock { $0.sessions[connection.id] = handle }
        return connection
    }

    private func forget(_ connection: EngineConnection) {
        state.withLock { state in
            state.sessions[connection.id] = nil
            state.handles[connection.number] = nil
            state.unpolled.release(connection.number)
        }
    }

    // MARK: Sessions that aren't polled

    /// Counts what a session holds without a poll or a WebSocket, `nil` for one that has either, and closes those displaced.
    private func hold(_ connection: EngineConnection, _ bytes: Int?) {
        let (number, now) = (connection.number, ContinuousClock.now)
        let holder = Admission.Holder.address(connection.network)
        let (displaced, end) = state.withLock { state -> ([EngineHandle], ContinuousClock.Instant?) in
            guard let bytes else {
                state.unpolled.release(number)
                state.handles[number] = nil
                return ([], nil)
            }
            state.handles[number] = state.handles[number] ?? EngineHandle(connection)
            let displaced = state.take(state.unpolled.hold(number, for: holder, bytes, at: now))
            guard !state.isTimed, let end = state.unpolled.nextEnd else { return (displaced, nil) }
            state.isTimed = true
            return (displaced, end)
        }
        for handle in displaced { handle.execute { $0.close() } }
        if let end { closeUnpolled(at: end, now, on: connection.eventLoop) }
    }

    /// Closes the sessions that aren't polled for their time, at `end` and for as long as there are any.
    private func closeUnpolled(
        at end: ContinuousClock.Instant,
        _ now: ContinuousClock.Instant,
        on eventLoop: any EventLoop
    ) {
        // At most ten times a second, however many sessions there are.
        let delay = max(TimeAmount(now.duration(to: end)), .milliseconds(100))
        eventLoop.scheduleTask(in: delay) { [weak self] in
            guard let self else { return }
            let now = ContinuousClock.now
            let (over, end) = state.withLock { state in
                let over = state.take(state.unpolled.expire(at: now))
                let end = state.unpolled.nextEnd
                state.isTimed = end != nil
                return (over, end)
            }
            for handle in over { handle.execute { $0.close() } }
            if let end { closeUnpolled(at: end, now, on: eventLoop) }
        }
    }

    private static func randomID() -> String {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
        var generator = SystemRandomNumberGenerator()
        let characters = (0..<32).map { _ in alphabet[Int.random(in: 0..<32, using: &generator)] }
        return String(decoding: characters, as: UTF8.self)
    }

    // MARK: WebSockets

    /// Decides about a request to upgrade to a WebSocket.
    ///
    /// A request that names a session is accepted even if the session has a WebSocket or is being upgraded:
    /// clients expect the new WebSocket to be closed then, while the session continues.
    ///
    /// - Returns: `nil` if the request is for another path.
    package func decide(_ upgrade: UpgradeRequest) async -> UpgradeDecision? {
        guard owns(upgrade.path) else { return nil }
        let request = EngineRequest(query: upgrade.query)
        guard request.transport == .webSocket, let version = request.version else { return .refuse }
        let client = settings.proxies.client(from: upgrade.remoteAddress) { upgrade.head.headers[$0] }
        guard let id = request.session else { return begin(request, version, from: client.network) }
        return session(id).map(join) ?? .refuse
    }

    private func owns(_ path: Substring) -> Bool {
        let rest = path.utf8.dropFirst(settings.path.utf8.count)
        return path.utf8.starts(with: settings.path.utf8) && (rest.isEmpty || rest.is("/"))
    }

    private func begin(_ request: EngineRequest, _ version: EngineVersion, from network: String)
        -> UpgradeDecision
    {
        guard sessionCount < settings.sessionLimit else { return .refuse }
        let query = request
        return accept { server, socket in
            let near = EngineSocket(near: socket)
            let loop = socket.eventLoop
            let connection = server.make(query, version, from: network, socket: near, eventLoop: loop)
            connection.start(delegate: server.start)
            return NearSocketReceiver(socket, session: connection)
        }
    }

    private func join(_ handle: EngineHandle) -> UpgradeDecision {
        accept { _, socket in
            let id = ObjectIdentifier(socket)
            let eventLoop = socket.eventLoop
            let bound = NIOLoopBound(socket, eventLoop: eventLoop)
            handle.execute { session in
                if session.eventLoop === eventLoop {
                    session.offer(EngineSocket(near: bound.value))
                } else {
                    session.offer(EngineSocket(far: bound, id: id, eventLoop: eventLoop))
                }
            }
            return FarSocketReceiver(socket, session: handle)
        }
    }

    private func accept(
        _ start: @escaping @Sendable (EngineServer, WebSocketConnection) -> any WebSocketDelegate
    ) -> UpgradeDecision {
        .accept(
            UpgradeDecision.Acceptance(
                settings: WebSocketSettings(maxMessageSize: settings.maxPayload)
            ) { start(self, $0) }
        )
    }
}
