import NIOCore
import Synchronization
import TestSupport
import YonderLink
import YonderModel

@testable import YonderHub

/// A phone's stream to an exchange in this process, which counts what a WebSocket would carry.
///
/// The server pings a client that has sent nothing for 30 s; the link counts these pings, and the phone's answers.
// Safe because what changes is used on the event loop alone, or behind a mutex.
final class CountedLink: StreamLink, SessionTransport, @unchecked Sendable {
    /// After how many seconds without a frame from the client the server sends a ping.
    private static let silence = 30

    let eventLoop: any EventLoop
    private let time: HandMovedTime
    private let meter = Mutex(Traffic())
    private let received: AsyncStream<[UInt8]>
    private let receive: AsyncStream<[UInt8]>.Continuation
    private let reader: Reader
    private var session: Session?
    private var queued = ByteBuffer()
    private var heard = 0

    private actor Reader {
        private var iterator: AsyncStream<[UInt8]>.AsyncIterator

        init(_ frames: AsyncStream<[UInt8]>) { iterator = frames.makeAsyncIterator() }

        func next() async -> [UInt8]? {
            var copy = iterator
            let frame = await copy.next(isolation: self)
            iterator = copy
            return frame
        }
    }

    private init(_ eventLoop: any EventLoop, _ time: HandMovedTime) {
        (self.eventLoop, self.time) = (eventLoop, time)
        (received, receive) = AsyncStream.makeStream(of: [UInt8].self)
        reader = Reader(received)
    }

    /// Connects a user to the part of an exchange on an event loop.
    static func connect(
        _ user: User,
        to exchange: Exchange,
        on eventLoop: any EventLoop,
        at time: HandMovedTime
    ) async throws -> CountedLink {
        let link = CountedLink(eventLoop, time)
        try await eventLoop.submit {
            guard let loop = exchange.loop(on: eventLoop) else { throw ChannelError.unknownLocalAddress }
            link.session = loop.open(link, user: user)
        }.get()
        return link
    }

    /// What was carried since the last call.
    func takeTraffic() -> Traffic {
        meter.withLock { traffic in
            defer { traffic = Traffic() }
            return traffic
        }
    }

    /// Counts a ping and its answer where they are due; called each second, on the event loop.
    func tick() {
        let now = time.seconds
        guard now - heard >= Self.silence else { return }
        heard = now
        meter.withLock { traffic in
            traffic.receive(Traffic.frame(0, isMasked: false), at: now)
            traffic.send(Traffic.frame(0, isMasked: true), at: now)
        }
    }

    // MARK: The phone's end

    func next() async throws(LinkClosure) -> [[UInt8]] {
        guard let frame = await reader.next() else { throw .lost("Closed.") }
        return [frame]
    }

    func write(_ text: [UInt8]) {
        meter.withLock { $0.send(Traffic.frame(text.count, isMasked: true), at: time.seconds) }
        eventLoop.execute { [self] in
            heard = time.seconds
            session?.receive(ByteBuffer(bytes: text))
        }
    }

    func close() {
        receive.finish()
    }

    // MARK: The server's end

    var isWritable: Bool { true }

    func write(_ frames: ByteBuffer) {
        queued.writeImmutableBuffer(frames)
    }

    func flush() {
        for payload in TextFrames.payloads(of: queued.readableBytesView) {
            let bytes = Array(payload.utf8)
            meter.withLock { $0.receive(Traffic.frame(bytes.count, isMasked: false), at: time.seconds) }
            receive.yield(bytes)
        }
        queued.clear()
    }

    func close(_ code: UInt16, _ reason: String) {
        receive.finish()
    }

    func pauseReceiving() {}

    func resumeReceiving() {}
}
