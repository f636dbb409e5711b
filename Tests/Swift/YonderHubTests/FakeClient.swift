import NIOCore
import Testing
import YonderModel
import YonderRules
import YonderWire

@testable import YonderHub

/// Somebody connected to an exchange without a socket.
final class FakeClient: Sendable {
    private let session: NIOLoopBound<Session>
    private let transport: NIOLoopBound<FakeTransport>
    private let inbox: Inbox

    /// Reads what arrives, one after the other.
    actor Inbox {
        private var iterator: AsyncStream<String>.AsyncIterator

        init(_ frames: AsyncStream<String>) {
            iterator = frames.makeAsyncIterator()
        }

        func next() async -> String? {
            var copy = iterator
            let frame = await copy.next(isolation: self)
            iterator = copy
            return frame
        }
    }

    /// Connects `user` to the exchange's part on `eventLoop`.
    init(
        _ user: User?,
        to exchange: Exchange,
        on eventLoop: any EventLoop,
        by credential: SecretHash? = nil,
        bound: Int = 65_536
    ) async throws {
        let parts = try await eventLoop.submit {
            let transport = FakeTransport(eventLoop: eventLoop, bound: bound)
            guard let loop = exchange.loop(on: eventLoop) else { throw ChannelError.unknownLocalAddress }
            let session = loop.open(transport, user: user, credential: credential)
            transport.session = session
            return (
                NIOLoopBound(session, eventLoop: eventLoop), NIOLoopBound(transport, eventLoop: eventLoop),
                transport.frames
            )
        }.get()
        session = parts.0
        transport = parts.1
        inbox = Inbox(parts.2)
    }

    /// Sends a frame.
    func send(_ json: String) async throws {
        try await session.eventLoop.submit { [transport] in transport.value.receive(ByteBuffer(string: json))
        }
        .get()
    }

    /// Sends frames in one round.
    func send(_ frames: [String]) async throws {
        try await session.eventLoop.submit { [transport] in
            for json in frames { transport.value.receive(ByteBuffer(string: json)) }
        }.get()
    }

    /// The next frame's text, or `nil` once the connection is closed: for a test that promises bytes.
    func nextText() async -> String? {
        await inbox.next()
    }

    /// The next frame, or `nil` once the connection is closed.
    func next() async throws -> ServerFrame? {
        guard let text = await nextText() else { return nil }
        return try ServerFrame(text: text)
    }

    /// The first value that a frame from here on has; the frames before it are dropped.
    func next<Value>(_ value: (ServerFrame) -> Value?) async throws -> Value {
        while let frame = try await next() {
            if let value = value(frame) { return value }
        }
        throw ChannelError.eof
    }

    /// The first frame from here on that matches; the frames before it are dropped.
    @discardableResult
    func until(_ isMatch: (ServerFrame) -> Bool) async throws -> ServerFrame {
        try await next { isMatch($0) ? $0 : nil }
    }

    /// Stops taking what is sent, or goes on.
    func setStopped(_ isStopped: Bool) async throws {
        try await transport.eventLoop.submit { [session, transport] in
            transport.value.isStopped = isStopped
            if !isStopped {
                transport.value.flush()
                session.value.writabilityChanged()
            }
        }.get()
    }

    /// Looks at the connection, on its loop.
    func inspect<Value: Sendable>(_ body: @escaping @Sendable (FakeTransport) -> Value) async throws -> Value
    {
        try await transport.eventLoop.submit { [transport] in body(transport.value) }.get()
    }

    /// Looks at the session, on its loop.
    func session<Value: Sendable>(_ body: @escaping @Sendable (Session) -> Value) async throws -> Value {
        try await session.eventLoop.submit { [session] in body(session.value) }.get()
    }

    /// Cuts the connection.
    func disconnect() async throws {
        try await session.eventLoop.submit { [session] in session.value.closed() }.get()
    }
}
