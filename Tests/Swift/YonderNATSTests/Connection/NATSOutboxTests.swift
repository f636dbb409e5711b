import NIOCore
import Testing

@testable import YonderNATS

struct NATSOutboxTests {
    private let subject = NATSSubject("a.b").unsafelyUnwrapped

    @Test func `one wake is for all messages until it has come`() {
        var outbox = NATSOutbox(limit: 1_000)
        #expect(outbox.publish(subject, ByteBuffer(string: "1")) == .wakes)
        #expect(outbox.publish(subject, ByteBuffer(string: "2")) == .waits)
        outbox.awake()
        let batch = outbox.take()
        #expect(batch.map { String(buffer: $0.bytes) } == "PUB a.b 1\r\n1\r\nPUB a.b 1\r\n2\r\n")
        #expect(batch?.messages == 2)
        #expect(outbox.take() == nil)
        #expect(outbox.publish(subject, ByteBuffer(string: "3")) == .wakes)
    }

    @Test func `beyond the limit messages are dropped, counted and reported once`() throws {
        var outbox = NATSOutbox(limit: 200)
        let payload = ByteBuffer(repeating: 0x61, count: 100)
        #expect(outbox.publish(subject, payload) == .wakes)
        #expect(outbox.publish(subject, payload) == .dropped(wakes: false))
        outbox.awake()
        #expect(outbox.publish(subject, payload) == .dropped(wakes: true))
        #expect(outbox.takeDrops() == 2)
        #expect(outbox.takeDrops() == 0)

        // What is written and not taken by the connection still counts.
        let taken = outbox.take()
        let batch = try #require(taken)
        outbox.awake()
        #expect(outbox.publish(subject, payload) == .dropped(wakes: true))
        outbox.finished(batch, isTaken: true)
        #expect(outbox.unsent == 0)
        #expect(outbox.publish(subject, payload) == .waits)
        #expect(outbox.counts.sent == 1)
        #expect(outbox.counts.dropped == 3)
    }

    @Test func `messages on their way when a connection ends count as dropped`() throws {
        var outbox = NATSOutbox(limit: 1_000)
        for _ in 0..<3 { _ = outbox.publish(subject, ByteBuffer()) }
        let taken = outbox.take()
        let batch = try #require(taken)
        outbox.finished(batch, isTaken: false)
        #expect(outbox.takeDrops() == 3)
        #expect(outbox.unsent == 0)
    }

    @Test func `too long a payload, a pattern, and what comes after the end are dropped`() throws {
        var outbox = NATSOutbox(limit: 1_000)
        outbox.payloadLimit = 10
        #expect(outbox.publish(subject, ByteBuffer(repeating: 0, count: 11)) == .dropped(wakes: true))
        #expect(outbox.publish(try #require(NATSSubject("a.*")), ByteBuffer()) == .dropped(wakes: false))
        #expect(outbox.publish(subject, ByteBuffer(repeating: 0, count: 10)) == .waits)
        outbox.close()
        #expect(outbox.take() == nil)
        #expect(outbox.publish(subject, ByteBuffer()) == .dropped(wakes: false))
        #expect(outbox.counts.dropped == 4)
    }
}
