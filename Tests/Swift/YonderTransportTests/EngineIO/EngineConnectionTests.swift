import Dispatch
import NIOCore
import NIOEmbedded
import Synchronization
import Testing
import YonderWire

@testable import YonderTransport

/// What packets of a client cost that mean nothing.
@Suite struct EngineConnectionTests {
    /// An event loop that counts the timers which are set.
    private final class CountingLoop: EventLoop {
        let base: EmbeddedEventLoop
        let timers = Atomic(0)

        init(_ base: EmbeddedEventLoop) { self.base = base }

        var inEventLoop: Bool { base.inEventLoop }
        var now: NIODeadline { base.now }

        func execute(_ task: @escaping @Sendable () -> Void) { base.execute(task) }

        @discardableResult
        func scheduleTask<T>(deadline: NIODeadline, _ task: @escaping @Sendable () throws -> T) -> Scheduled<
            T
        > {
            timers.wrappingAdd(1, ordering: .relaxed)
            return base.scheduleTask(deadline: deadline, task)
        }

        @discardableResult
        func scheduleTask<T>(in delay: TimeAmount, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T>
        {
            scheduleTask(deadline: now + delay, task)
        }

        func shutdownGracefully(queue: DispatchQueue, _ callback: @escaping @Sendable ((any Error)?) -> Void)
        {
            base.shutdownGracefully(queue: queue, callback)
        }
    }

    /// Answers each message.
    private final class Echo: WebSocketDelegate {
        let connection: EngineConnection
        var received = 0
        var isClosed = false
        var heldBytes = 0

        init(_ connection: EngineConnection) { self.connection = connection }

        func received(text: ByteBuffer) {
            received += 1
            connection.send(text: Array(text.readableBytesView))
            connection.flush()
        }

        func received(binary: ByteBuffer) { heldBytes += binary.readableBytes }
        func writabilityChanged(isWritable: Bool) {}
        func closed() { isClosed = true }
    }

    /// Counts the flushes that reach the socket.
    private final class FlushCounter: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        var flushes = 0

        func flush(context: ChannelHandlerContext) {
            flushes += 1
            context.flush()
        }
    }

    /// What a session reported to hold, as its client wasn't connected.
    private final class Reports {
        var held: [Int?] = []
    }

    /// A session whose client has a WebSocket, or polls.
    private final class Client {
        let channel = EmbeddedChannel()
        let counter = FlushCounter()
        let loop: CountingLoop
        let session: EngineConnection
        private(set) var echo: Echo?
        let reports = Reports()

        init(_ version: EngineVersion, polls: Bool = false) throws {
            loop = CountingLoop(channel.embeddedEventLoop)
            let socket = WebSocketConnection(eventLoop: loop, settings: WebSocketSettings())
            try channel.pipeline.syncOperations.addHandlers([counter, socket])
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            session = EngineConnection(
                id: "key",
                number: 1,
                request: EngineRequest(query: "EIO=3&transport=polling"),
                version: version,
                socket: polls ? nil : EngineSocket(near: socket),
                network: "local",
                eventLoop: loop,
                settings: EngineSettings(),
                onHold: { [reports] _, bytes in reports.held.append(bytes) },
                onEnd: { _ in }
            )
            if !polls { socket.start(delegate: NearSocketReceiver(socket, session: session)) }
            session.start { connection in
                let made = Echo(connection)
                self.echo = made
                return made
            }
            while try channel.readOutbound(as: ByteBuffer.self) != nil {}
        }

        /// Sends packets in one read.
        func send(_ packets: [String]) throws {
            var frames = ByteBuffer()
            for packet in packets {
                let mask: [UInt8] = [0, 0, 0, 0]
                frames.writeBytes([0x81, 0x80 | UInt8(packet.utf8.count)] + mask)
                frames.writeString(packet)
            }
            try channel.writeInbound(frames)
        }

        func answers() throws -> Int {
            var count = 0
            while try channel.readOutbound(as: ByteBuffer.self) != nil { count += 1 }
            return count
        }
    }

    @Test func `pings set no timer, and their answers are flushed once`() throws {
        let client = try Client(.three)
        let (timers, flushes) = (client.loop.timers.load(ordering: .relaxed), client.counter.flushes)
        try client.send(Array(repeating: "2", count: 500))
        #expect(try client.answers() == 500)
        #expect(client.loop.timers.load(ordering: .relaxed) == timers)
        #expect(client.counter.flushes == flushes + 1)
    }

    @Test func `half an event counts while its client doesn't poll`() throws {
        let client = try Client(.four, polls: true)
        let half = EnginePacket(.message, [UInt8](repeating: 1, count: 45_000), isBinary: true)
        #expect(client.session.receive([half]))
        #expect(client.reports.held == [0, 45_000])
        client.session.poll(client.channel.eventLoop.makePromise(of: [EnginePacket]?.self))
        #expect(client.reports.held == [0, 45_000, nil])
        client.session.close()
    }

    @Test func `a session lives as long after its last ping as before`() throws {
        let client = try Client(.three)
        client.channel.embeddedEventLoop.advanceTime(by: .seconds(44))
        try client.send(["2"])
        client.channel.embeddedEventLoop.advanceTime(by: .seconds(44))
        #expect(client.echo?.isClosed == false)
        client.channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(client.echo?.isClosed == true)
    }

    @Test func `a client that answers pings is pinged at the interval, one that doesn't is closed`() throws {
        let client = try Client(.four)
        for _ in 0..<3 {
            client.channel.embeddedEventLoop.advanceTime(by: .seconds(25))
            #expect(try client.answers() == 1)
            try client.send(["3"])
        }
        client.channel.embeddedEventLoop.advanceTime(by: .seconds(25))
        client.channel.embeddedEventLoop.advanceTime(by: .seconds(20))
        #expect(client.echo?.isClosed == true)
    }

    @Test(arguments: ["2", "42[\"a\"]", "6"])
    func `packets of any kind beyond the rate close the session`(_ packet: String) throws {
        let client = try Client(.three)
        // As many at once as a client may send, and as many a second as it may go on with.
        for count in [1_200, 200, 200] {
            try client.send(Array(repeating: packet, count: count))
            #expect(client.echo?.isClosed == false)
            client.channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        }
        try client.send(Array(repeating: packet, count: 201))
        #expect(client.echo?.isClosed == true)
    }

    @Test func `a body with more packets than the rate allows is refused, and ends the session`() throws {
        let client = try Client(.three, polls: true)
        #expect(!client.session.receive(Array(repeating: EnginePacket(.ping), count: 20_000)))
        #expect(client.echo?.isClosed == true)
    }

    @Test func `a body's answers come with one poll`() throws {
        let client = try Client(.three, polls: true)
        let promise = client.channel.embeddedEventLoop.makePromise(of: [EnginePacket]?.self)
        client.session.poll(promise)
        #expect(client.session.receive(Array(repeating: EnginePacket(.ping), count: 100)))
        #expect(try promise.futureResult.wait()?.count == 100)
        client.session.close()
    }
}
