import NIOCore

/// A session's WebSocket, whose channel may belong to another event loop than the session.
///
/// A session keeps its first event loop. A WebSocket with which it begins is on the same loop, and writes are
/// direct. A WebSocket to which it is upgraded may be on another loop, and writes are then transferred at
/// each flush. Belongs to the session's loop.
///
/// A socket that is gone drops what is written.
final class EngineSocket {
    private enum Wire {
        case near(WebSocketConnection)
        case far(NIOLoopBound<WebSocketConnection>, any EventLoop)
    }

    /// The identity of the socket, valid on both loops.
    let id: ObjectIdentifier

    /// Whether the peer can receive more, as far as this loop knows.
    var isWritable: Bool

    private let wire: Wire
    private var outgoing = ByteBuffer()

    /// A socket of the session's own loop.
    init(near connection: WebSocketConnection) {
        id = ObjectIdentifier(connection)
        isWritable = connection.isWritable
        wire = .near(connection)
    }

    /// A socket of another loop, `eventLoop`.
    init(far connection: NIOLoopBound<WebSocketConnection>, id: ObjectIdentifier, eventLoop: any EventLoop) {
        self.id = id
        isWritable = true
        wire = .far(connection, eventLoop)
    }

    @inline(__always)
    func write(_ frames: ByteBuffer) {
        switch wire {
        case .near(let connection): connection.write(frames)
        case .far: outgoing.writeImmutableBuffer(frames)
        }
    }

    @inline(__always)
    func flush() {
        switch wire {
        case .near(let connection): connection.flush()
        case .far(let connection, let eventLoop): carryOver(to: connection, on: eventLoop)
        }
    }

    func close(_ code: UInt16, _ reason: String) {
        flush()
        switch wire {
        case .near(let connection): connection.close(code, reason)
        case .far(let connection, let eventLoop): eventLoop.execute { connection.value.close(code, reason) }
        }
    }

    private func carryOver(to connection: NIOLoopBound<WebSocketConnection>, on eventLoop: any EventLoop) {
        guard outgoing.readableBytes > 0 else { return }
        let frames = outgoing
        outgoing = ByteBuffer()
        eventLoop.execute {
            connection.value.write(frames)
            connection.value.flush()
        }
    }
}

/// An event of a session's WebSocket.
enum EngineSocketEvent: Sendable {
    case text(ByteBuffer)
    case binary(ByteBuffer)
    case writability(Bool)
    case closed
}

/// Passes a WebSocket's events to a session of the same event loop.
final class NearSocketReceiver: WebSocketDelegate {
    private let id: ObjectIdentifier
    private let session: EngineConnection

    init(_ connection: WebSocketConnection, session: EngineConnection) {
        id = ObjectIdentifier(connection)
        self.session = session
    }

    func received(text: ByteBuffer) {
        session.handle(.text(text), from: id)
    }

    func received(binary: ByteBuffer) {
        session.handle(.binary(binary), from: id)
    }

    func writabilityChanged(isWritable: Bool) {
        session.handle(.writability(isWritable), from: id)
    }

    func closed() {
        session.handle(.closed, from: id)
    }
}

/// Transfers a WebSocket's events to a session on another event loop.
///
/// Nothing more is read from the peer until the session has handled the transferred events. Events beyond ``limit`` aren't delivered
/// until then, so that the connection's own bounds hold for them.
final class FarSocketReceiver: WebSocketDelegate {
    /// The most messages that wait while others are handled.
    static let limit = 64

    private let connection: WebSocketConnection
    private let session: EngineHandle
    private var events: [EngineSocketEvent] = []
    private var isCarrying = false

    init(_ connection: WebSocketConnection, session: EngineHandle) {
        self.connection = connection
        self.session = session
    }

    func received(text: ByteBuffer) {
        carry(.text(text))
    }

    func received(binary: ByteBuffer) {
        carry(.binary(binary))
    }

    func writabilityChanged(isWritable: Bool) {
        carry(.writability(isWritable))
    }

    func closed() {
        carry(.closed)
    }

    private func carry(_ event: EngineSocketEvent) {
        events.append(event)
        if events.count >= Self.limit { connection.pauseReceiving() }
        if !isCarrying { carryAll() }
    }

    private func carryAll() {
        isCarrying = !events.isEmpty
        guard isCarrying else { return connection.resumeReading() }
        connection.pauseReading()
        let carried = events
        events.removeAll()
        connection.resumeReceiving()
        let socket = ObjectIdentifier(connection)
        let here = connection.eventLoop
        let receiver = NIOLoopBound(self, eventLoop: here)
        session.execute { session in
            session.handle(carried, from: socket)
            here.execute { receiver.value.carryAll() }
        }
    }
}
