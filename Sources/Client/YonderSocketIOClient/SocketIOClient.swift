package import YonderLink
public import YonderModel
import YonderWire

/// A client of a Socket.IO server, which reconnects whenever the connection breaks.
///
/// Works while ``run()`` runs, in a task of the caller's. An event is sent at most once: none is kept for a later connection.
///
/// An app creates one for a server of Socket.IO, this project's or another's, and runs ``run()``; `SocketIOWorld` of the app
/// models uses it for the world. Operations may be called from any task, also before. Without a connection an event throws
/// `unavailable` and is gone: an app sends it again, or not. `run()` ends only when it is left, canceled, or refused for
/// good.
///
/// Names and codes are public and promised (`Documentation/socket-io.md`, `make check-api`). `SocketIOClientTests` and
/// `LiveServerTests` try it, the latter with servers of other projects.
public actor SocketIOClient {
    // A shell: it owns the connection and the waiting callers, and carries out what `SocketConversation` and `ConnectionState` decide.
    // The functions that carry it out are in `SocketIOClient+Running.swift`.

    /// How the connection stands.
    public enum State: Hashable, Sendable {
        /// ``SocketIOClient/run()`` doesn't run.
        case stopped
        case connecting
        /// The client is in the namespace, and can send events.
        case connected
        /// The client will try again; the error says why the last connection ended.
        case waiting(SharingError)
    }

    typealias Waiter = CheckedContinuation<Result<[SocketIOArgument], SharingError>, Never>
    typealias Conversation = SocketConversation<Waiter>

    nonisolated let board: EventBoard
    nonisolated let current = CurrentValue(State.stopped)

    let links: Links
    let settings: ConversationSettings
    private let firstWait: JitteredWait
    let clock: any Clock<Duration>
    let elapsed: @Sendable () -> Duration

    private var isRunning = false
    private var lastRequest: UInt64 = 0

    /// Whether ``disconnect()`` was called in this run.
    private(set) var isLeaving = false

    /// Ends a wait for the next attempt when the client leaves.
    var leaving: AsyncStream<Never>.Continuation?
    var reconnection = ConnectionState()

    /// The connection of now, the number of those made, and what it has to do.
    var conversation: Conversation?
    var connection = 0
    var connectedSince: Duration?
    var chores: AsyncStream<Chore>.Continuation?
    var link: (any StreamLink)?

    /// The time for which the next wake is set, or `nil` for none.
    var alarm: Duration?

    /// How the connection of now ended.
    var ending: Ending?

    /// Creates a client; ``run()`` connects it.
    ///
    /// - Parameters:
    ///   - url: `https://host` or `http://host:port`, with the path in front of Socket.IO's if there is one.
    ///   - settings: The client's settings.
    /// - Throws: `invalidField` for an invalid URL, setting or certificate file.
    public init(url: String, settings: SocketIOSettings = SocketIOSettings()) throws(SharingError) {
        let links = try Links(server: url, certificateAuthority: settings.certificateAuthority)
        try self.init(links: links, settings: settings)
    }

    /// Creates a client over connections that the caller makes.
    package init(
        links: Links,
        settings: SocketIOSettings = SocketIOSettings(),
        clock: some Clock<Duration> = ContinuousClock()
    ) throws(SharingError) {
        self.links = links
        self.settings = try settings.conversation()
        self.clock = clock
        firstWait = settings.wait
        board = EventBoard(capacity: settings.readerCapacity)
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
    }

    deinit { board.end() }

    // MARK: - The connection

    /// How the connection stands.
    public nonisolated var state: State { current.current }

    /// How the connection stands, and each change; a task that reads slowly receives only the newest one.
    public nonisolated var states: AsyncStream<State> { current.stream }

    /// Connects and stays connected until the task is canceled or ``disconnect()`` is called.
    ///
    /// If the task is canceled, the client sends neither Socket.IO's `DISCONNECT` nor Engine.IO's `close`: a server ends the session when
    /// the WebSocket's connection closes, or, of a polling client, after its ping timeout. ``disconnect()`` sends both, and the server ends
    /// the session when it receives them.
    ///
    /// - Throws: `notAllowed` if the server refuses the namespace or disconnects the client from it; `unsupportedVersion` if it doesn't
    ///   accept the generation.
    public func run() async throws(SharingError) {
        precondition(!isRunning, "A client runs once at a time.")
        (isRunning, isLeaving) = (true, false)
        reconnection = ConnectionState(wait: firstWait)
        let refusal = await stayConnected()
        isRunning = false
        current.set(.stopped)
        board.end()
        if let refusal { throw refusal }
    }

    /// Leaves the namespace, closes the connection, and lets ``run()`` return.
    public func disconnect() {
        isLeaving = isRunning
        leaving?.finish()
        take { $0.leave(at: elapsed()) }
    }

    // MARK: - Events

    /// The events of one or more names from now on, in the order in which they come; see ``SocketIOEvents`` for the bounds of its queue.
    ///
    /// - Parameter names: The events' names. `connect` and `disconnect` are the client's own events, without values: `connect` comes each
    ///   time the client has entered the namespace, before the events of that connection, and `disconnect` after them, when the
    ///   connection has ended. No server can send them.
    /// - Returns: The events.
    public nonisolated func on(_ names: String...) -> SocketIOEvents {
        board.events(names)
    }

    /// Sends an event, at most once.
    ///
    /// - Parameters:
    ///   - event: The event's name.
    ///   - arguments: The values that it carries.
    /// - Throws: `unavailable` if the client isn't connected; `tooLarge`, or `tooManyRequests` if the connection can't accept more now;
    ///   `invalidField` for a reserved name or a value that JSON doesn't have. The event isn't sent then.
    public func emit(_ event: String, _ arguments: any Encodable & Sendable...) throws(SharingError) {
        try send(outgoing(event, arguments), nil)
    }

    /// Sends an event, at most once, and waits for the server's acknowledgement.
    ///
    /// - Parameters:
    ///   - event: The event's name.
    ///   - arguments: The values that it carries.
    ///   - timeout: How long to wait.
    /// - Returns: The values of the acknowledgement.
    /// - Throws: `notAcknowledged` if the time is over, the connection ended or the task was canceled before an acknowledgement came: the
    ///   server may have received the event, or not. Otherwise as ``emit(_:_:)``.
    public func emit(
        _ event: String,
        _ arguments: any Encodable & Sendable...,
        timeout: Duration
    ) async throws(SharingError) -> [SocketIOArgument] {
        let outgoing = try outgoing(event, arguments)
        lastRequest += 1
        let id = lastRequest
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                do throws(SharingError) {
                    try send(outgoing, Conversation.Request(id: id, waiter: waiter, timeout: timeout))
                } catch {
                    waiter.resume(returning: .failure(error))
                }
            }
        } onCancel: {
            // Runs on the actor after the event was sent, as nothing is awaited until then.
            Task { await self.giveUp(id) }
        }
        return try result.get()
    }

    /// Acknowledges an event that asks for it; nothing if that was done, if the event doesn't ask, or if 1 000 later events ask.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - arguments: The values of the acknowledgement.
    /// - Throws: `unavailable` if the event's connection is over; otherwise as ``emit(_:_:)``.
    public func acknowledge(
        _ event: SocketIOEvent,
        _ arguments: any Encodable & Sendable...
    ) throws(SharingError) {
        guard let acknowledgement = event.acknowledgement else { return }
        let values = try Self.json(of: arguments)
        guard acknowledgement.connection == connection, conversation != nil else {
            throw SharingError(.unavailable, "The connection of the event is over.")
        }
        let isWritable = link?.isWritable ?? false
        let steps = try conversation?.acknowledge(
            acknowledgement.id,
            with: values,
            isWritable: isWritable,
            at: elapsed()
        )
        perform(steps ?? [])
    }

    private func outgoing(_ event: String, _ arguments: [any Encodable & Sendable]) throws(SharingError)
        -> Conversation.Outgoing
    {
        guard !SocketPacket.isReserved(event.utf8) else {
            throw SharingError(.invalidField, "event must not be a name that Socket.IO uses itself.")
        }
        return Conversation.Outgoing(name: event, arguments: try Self.json(of: arguments))
    }

    private static func json(of arguments: [any Encodable & Sendable]) throws(SharingError) -> [[UInt8]] {
        var values: [[UInt8]] = []
        for argument in arguments { values.append(try SocketIOArgument.json(of: argument)) }
        return values
    }

    private func send(_ event: Conversation.Outgoing, _ request: Conversation.Request?) throws(SharingError) {
        let isWritable = link?.isWritable ?? false
        guard let steps = try conversation?.emit(event, request, isWritable: isWritable, at: elapsed()) else {
            throw SharingError(.unavailable, "Not connected; the event wasn't sent.")
        }
        perform(steps)
    }

    private func giveUp(_ id: UInt64) {
        take { $0.giveUp(id) }
    }
}
