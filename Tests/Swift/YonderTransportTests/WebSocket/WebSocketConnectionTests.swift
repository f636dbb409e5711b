import NIOCore
import NIOEmbedded
import Testing

@testable import YonderTransport

/// Messages whose receiver has paused.
@Suite struct WebSocketConnectionTests {
    /// Records the messages it received, and pauses after the ones the test names, or after each; answers each if the test says so.
    private final class Listener: WebSocketDelegate {
        var texts: [String] = []
        var pausesAt: Set<String> = []
        var pausesAlways = false
        var answers = false
        var isClosed = false
        weak var connection: WebSocketConnection?

        func received(text: ByteBuffer) {
            texts.append(String(buffer: text))
            if pausesAlways || pausesAt.contains(String(buffer: text)) { connection?.pauseReceiving() }
            guard answers else { return }
            connection?.write(OutboundFrame.text(Array("ok".utf8)))
            connection?.flush()
        }

        func received(binary: ByteBuffer) {}
        func writabilityChanged(isWritable: Bool) {}
        func closed() { isClosed = true }
    }

    /// Counts the reads and flushes that reach the socket.
    private final class ReadCounter: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        var reads = 0
        var flushes = 0

        func flush(context: ChannelHandlerContext) {
            flushes += 1
            context.flush()
        }

        func read(context: ChannelHandlerContext) {
            reads += 1
            context.read()
        }
    }

    private let listener = Listener()
    private let counter = ReadCounter()
    private let channel = EmbeddedChannel()
    private let connection: WebSocketConnection

    init() throws {
        connection = WebSocketConnection(eventLoop: channel.embeddedEventLoop, settings: WebSocketSettings())
        try channel.pipeline.syncOperations.addHandlers([counter, connection])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        listener.connection = connection
        connection.start(delegate: listener)
    }

    /// A client's frame, with a mask of zeros.
    private func frame(_ opcode: UInt8, _ text: String) -> [UInt8] {
        let length: [UInt8] =
            text.utf8.count < 126
            ? [0x80 | UInt8(text.utf8.count)]
            : [0x80 | 126, UInt8(text.utf8.count >> 8), UInt8(text.utf8.count & 255)]
        return [0x80 | opcode] + length + [0, 0, 0, 0] + Array(text.utf8)
    }

    private func receive(_ frames: [UInt8]...) throws {
        try channel.writeInbound(ByteBuffer(bytes: frames.joined()))
    }

    private func answers() throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) { bytes += buffer.readableBytesView }
        return bytes
    }

    @Test func `a paused connection holds messages, answers pings, and hands on in order`() throws {
        listener.pausesAt = ["b"]
        try receive(frame(1, "a"), frame(1, "b"), frame(1, "c"), frame(9, "hello"), frame(1, "d"))
        #expect(listener.texts == ["a", "b"])
        #expect(try answers() == [0x8A, 5] + Array("hello".utf8))
        listener.pausesAt = ["c"]
        connection.resumeReceiving()
        #expect(listener.texts == ["a", "b", "c"])
        try receive(frame(1, "e"))
        connection.resumeReceiving()
        #expect(listener.texts == ["a", "b", "c", "d", "e"])
    }

    @Test func `a close behind held messages comes after them`() throws {
        listener.pausesAt = ["a"]
        try receive(frame(1, "a"), frame(1, "b"), frame(8, ""))
        #expect(try answers().isEmpty && listener.texts == ["a"])
        connection.resumeReceiving()
        #expect(listener.texts == ["a", "b"])
        #expect(try answers() == [0x88, 0])
    }

    @Test func `at so many held bytes nothing more is read until they are handed on`() throws {
        connection.pauseReceiving()
        let message = String(repeating: "x", count: 60_000)
        try receive(frame(1, message))
        channel.pipeline.read()
        let before = counter.reads
        try receive(frame(1, message), frame(1, message))
        channel.pipeline.read()
        #expect(counter.reads == before)
        connection.resumeReceiving()
        #expect(counter.reads == before + 1 && listener.texts.count == 3)
    }

    @Test func `a peer that doesn't take what it is sent is handed nothing more from`() throws {
        try receive(frame(1, "a"))
        channel.isWritable = false
        channel.pipeline.fireChannelWritabilityChanged()
        try receive(frame(1, "b"))
        #expect(listener.texts == ["a"])
        channel.isWritable = true
        channel.pipeline.fireChannelWritabilityChanged()
        #expect(listener.texts == ["a", "b"])
    }

    @Test func `silence while nothing is read is not the peer's`() throws {
        connection.pauseReceiving()
        let message = String(repeating: "x", count: 60_000)
        try receive(frame(1, message), frame(1, message), frame(1, message))
        channel.pipeline.read()
        for _ in 0..<5 { connection.look() }
        #expect(channel.isActive && !listener.isClosed)
    }

    @Test func `short messages of a stalled client are parsed up to the bound and no further`() throws {
        connection.pauseReceiving()
        let texts = (0..<8_000).map { String($0) }
        let before = counter.reads
        try receive(texts.flatMap { frame(1, $0) } + frame(9, "behind"))
        // The ping isn't parsed, as the messages before it aren't.
        #expect(try answers().isEmpty)
        channel.pipeline.read()
        #expect(counter.reads == before)
        connection.resumeReceiving()
        #expect(listener.texts == texts)
        #expect(try answers() == [0x8A, 6] + Array("behind".utf8))
        #expect(counter.reads == before + 1)
    }

    @Test func `what isn't parsed comes in order, however it is cut and however often delivery pauses`()
        throws
    {
        listener.pausesAlways = true
        let texts = (0..<3_000).map { String(repeating: "x", count: $0 % 150) + String($0) }
        var bytes = texts.flatMap { frame(1, $0) }[...]
        var size = 1
        while !bytes.isEmpty {
            try receive(Array(bytes.prefix(size)))
            bytes = bytes.dropFirst(size)
            size = size * 7 % 65_537
            connection.resumeReceiving()
        }
        while listener.texts.count < texts.count {
            let before = listener.texts.count
            connection.resumeReceiving()
            try #require(listener.texts.count > before)
        }
        #expect(listener.texts == texts)
    }

    @Test func `answers to what was received together are flushed once`() throws {
        listener.answers = true
        try receive(Array((0..<100).map { frame(1, "\($0)") }.joined()))
        #expect(counter.flushes == 1)
        #expect(try answers().count == 100 * 4)
        // And so are those to what was held.
        connection.pauseReceiving()
        try receive(Array((0..<100).map { frame(1, "\($0)") }.joined()))
        connection.resumeReceiving()
        #expect(counter.flushes == 2)
        #expect(try answers().count == 100 * 4)
        connection.flush()
        #expect(counter.flushes == 3)
    }

    @Test func `a held message counts as it lies in memory`() throws {
        var held = HeldMessages()
        held.append(.text(ByteBuffer(string: "{}")))
        #expect(held.memory >= 192)
        held.append(.close(1_000))
        let both = held.memory
        #expect(held.popFirst() != nil && held.memory < both)
        #expect(held.popFirst() != nil && held.memory == 0 && held.isEmpty)
        while !held.isFull { held.append(.binary(ByteBuffer(string: "{}"))) }
        #expect(held.memory < HeldMessages.limit + 1_000)
    }
}
