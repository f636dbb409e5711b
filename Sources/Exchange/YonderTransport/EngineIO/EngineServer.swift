package import NIOCore
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
/// `SocketIOServer` makes one, and the HTTP routes pass it upgrades and requests, on any thread. A key that no session has
/// is refused, or asked of the node that it names. Over the limit of sessions a new one is refused. A session leaves the
/// table when it ends, once. The protocol is decided in `EngineSession`; keys must stay unguessable, since a key is all that
/// a request of a session has.
///
/// `test_engine_io.py` and `SocketIOServerTests` speak to it with clients of both generations.
package final class EngineServer: Sendable {
    package let settings: EngineSettings
    private let group: any EventLoopGroup

    /// Forwards requests for sessions of other servers; `nil` for a server that is alone.
    let relay: (any EngineRelay)?
    private let start: @Sendable (EngineConnection) -> any WebSocketDelegate
    private let sessions = Mutex<[String: EngineHandle]>([:])

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
    }

    /// The number of open sessions.
    package var sessionCount: Int { sessions.withLock { $0.count } }

    func session(_ id: String) -> EngineHandle? {
        sessions.withLock { $0[id] }
    }

    // MARK: Opening sessions

    /// Opens a session that polls, and returns the body of the first answer.
    func open(_ request: EngineRequest, version: EngineVersion) async throws -> (
        bytes: [UInt8], isBinary: Bool
    ) {
        let eventLoop = group.next()
        return try await eventLoop.submit {
            let connection = self.make(request, version: version, socket: nil, eventLoop: eventLoop)
            let body = connection.body(of: [connection.greeting])
            connection.start(delegate: self.start)
            return body
        }.get()
    }

    private func make(
        _ request: EngineRequest,
        version: EngineVersion,
        socket: EngineSocket?,
        eventLoop: any EventLoop
    ) -> EngineConnection {
        let connection = EngineConnection(
            id: (relay?.keyPrefix ?? "") + Self.randomID(),
            number: opened.wrappingAdd(1, ordering: .relaxed).newValue,
            request: request,
            version: version,
            socket: socket,
            eventLoop: eventLoop,
            settings: settings,
            onEnd: { [weak self] id in self?.sessions.withLock { $0[id] = nil } }
        )
        let handle = EngineHandle(connection)
        sessions.withLock { $0[connection.id] = handle }
        return connection
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
        guard let id = request.session else { return begin(request, version) }
        return session(id).map(join) ?? .refuse
    }

    private func owns(_ path: Substring) -> Bool {
        let rest = path.utf8.dropFirst(settings.path.utf8.count)
        return path.utf8.starts(with: settings.path.utf8) && (rest.isEmpty || rest.is("/"))
    }

    private func begin(_ request: EngineRequest, _ version: EngineVersion) -> UpgradeDecision {
        guard sessionCount < settings.sessionLimit else { return .refuse }
        let query = request
        return accept { server, socket in
            let near = EngineSocket(near: socket)
            let connection = server.make(query, version: version, socket: near, eventLoop: socket.eventLoop)
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
