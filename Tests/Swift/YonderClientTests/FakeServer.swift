import Testing
import YonderGeodesy
import YonderLink
import YonderModel
import YonderWire

@testable import YonderClient

/// The other end of a client's connections, which a test controls.
struct FakeServer: Sendable {
    let links: AsyncStream<MemoryLink>
    let connect: LinkFactory

    init() {
        let (links, continuation) = AsyncStream.makeStream(of: MemoryLink.self)
        self.links = links
        connect = { () async throws(LinkClosure) in
            let (ours, theirs) = MemoryLink.pair()
            continuation.yield(theirs)
            return ours
        }
    }

    /// A client that connects here, at once after each failure.
    func client(
        outbox: any OutboxStore = MemoryOutboxStore(),
        readerCapacity: Int = 1_024,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Timestamp = { Sample.time }
    ) -> SharingClient {
        var settings = ClientSettings()
        settings.backoff = Backoff(minimum: .zero, maximum: .zero)
        settings.readerCapacity = readerCapacity
        return SharingClient(outbox: outbox, settings: settings, clock: clock, now: now, connect: connect)
    }

    /// The next connection that the client makes, greeted.
    func accept(_ user: UserID = Sample.ada, at time: Timestamp = Sample.time) async throws -> Peer {
        var iterator = links.makeAsyncIterator()
        let peer = Peer(try #require(await iterator.next()))
        peer.write(.hello(Hello(user: user, name: "Ada", time: time)))
        return peer
    }

    /// Runs a client beside `body`, and ends it.
    func running<Value: Sendable>(
        _ client: SharingClient,
        _ body: @Sendable @escaping (FakeServer) async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try? await client.run()
                return nil
            }
            group.addTask { try await body(self) }
            while let value = try await group.next() {
                guard let value else { continue }
                group.cancelAll()
                return value
            }
            throw CancellationError()
        }
    }
}

/// One connection as the server sees it.
final class Peer: Sendable {
    private let link: MemoryLink
    private let frames: AsyncThrowingStream<ClientFrame, any Error>

    init(_ link: MemoryLink) {
        self.link = link
        frames = AsyncThrowingStream { [pending = Pending()] in
            if let frame = pending.take() { return frame }
            do throws(LinkClosure) {
                pending.add(try await link.next())
            } catch {
                return nil
            }
            return pending.take()
        }
    }

    func write(_ frame: ServerFrame) {
        link.write(frame.encoded())
    }

    func close(_ closure: LinkClosure = .lost("Cut.")) {
        link.close(closure)
    }

    /// The next frame that the client sent.
    func next() async throws -> ClientFrame {
        var iterator = frames.makeAsyncIterator()
        return try #require(await iterator.next())
    }

    /// The next frame, which must be a message.
    func nextSend() async throws -> SendFrame {
        let frame = try await next()
        guard case .send(let send) = frame else { throw Unexpected(frame: frame) }
        return send
    }

    /// The next frame, which must be a dated stop.
    func nextStop() async throws -> (key: String, stop: ShareStop) {
        let frame = try await next()
        guard case .stopShares(let key, let stop) = frame else { throw Unexpected(frame: frame) }
        return (key, stop)
    }

    /// The next frame, which must be a subscription.
    func nextSubscription() async throws -> (id: Int64, query: StreamQuery) {
        let frame = try await next()
        guard case .subscribe(let id, let query) = frame else { throw Unexpected(frame: frame) }
        return (id, query)
    }

    func acknowledge(_ send: SendFrame, number: Int64) {
        write(.sent(key: send.key, chat: send.chat, number: number, time: Sample.time))
    }

    struct Unexpected: Error {
        let frame: ClientFrame
    }

    /// Frames that came in one batch; one task at a time reads.
    private final class Pending: @unchecked Sendable {
        // Safe because the stream calls its closure from one task at a time.
        private var frames: [ClientFrame] = []

        func add(_ batch: [[UInt8]]) {
            frames += batch.compactMap { bytes in try? bytes.withUnsafeBytes { try ClientFrame.parse($0) } }
        }

        func take() -> ClientFrame? {
            frames.isEmpty ? nil : frames.removeFirst()
        }
    }
}

enum Sample {
    static let chat: ChatID = identifier(77)
    static let ada: UserID = identifier(1)
    static let bea: UserID = identifier(2)
    static let time = Timestamp(milliseconds: 1_764_000_000_000)

    static func identifier<Subject>(_ number: Int64) -> Identifier<Subject> {
        guard let identifier = Identifier<Subject>(number) else { fatalError("\(number) is negative") }
        return identifier
    }

    static func message(
        _ number: Int64?,
        from sender: UserID = ada,
        tag: MessageTag = .text,
        content: String = "",
        data: MessageData? = nil
    ) -> Message {
        Message(
            chat: chat,
            number: number,
            sender: sender,
            tag: tag,
            content: content,
            data: data,
            time: time + .seconds(number ?? 0)
        )
    }

    static func position(_ latitude: Double, _ longitude: Double) -> Position {
        guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
            fatalError("\(latitude) is no latitude")
        }
        return Position(coordinate: coordinate, timestamp: time)
    }
}
