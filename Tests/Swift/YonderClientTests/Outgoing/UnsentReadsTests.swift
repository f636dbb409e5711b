import Testing
import YonderModel
import YonderWire

@testable import YonderClient

@Suite struct UnsentReadsTests {
    private let other: ChatID = Sample.identifier(78)

    @Test func `the highest number of each chat is sent with the next connection, once`() {
        var reads = UnsentReads()
        for number in [Int64(3), 9, 7] { #expect(reads.mark(Sample.chat, upTo: number).isEmpty) }
        #expect(reads.mark(other, upTo: 2).isEmpty)
        #expect(
            Set(reads.connected()) == [.read(chat: Sample.chat, number: 9), .read(chat: other, number: 2)]
        )
        reads.disconnected()
        #expect(reads.connected().isEmpty)
    }

    @Test func `with a connection each number is sent at once`() {
        var reads = UnsentReads()
        _ = reads.connected()
        #expect(reads.mark(other, upTo: 4) == [.read(chat: other, number: 4)])
        reads.disconnected()
        #expect(reads.mark(other, upTo: 5).isEmpty)
    }

    @Test func `without a connection a thousand chats are held, and known ones go on counting`() {
        var reads = UnsentReads()
        for number in 1...Int64(UnsentReads.limit) { _ = reads.mark(Sample.identifier(number), upTo: 1) }
        _ = reads.mark(Sample.identifier(5_000), upTo: 1)
        _ = reads.mark(Sample.identifier(1), upTo: 8)
        let frames = reads.connected()
        #expect(frames.count == UnsentReads.limit)
        #expect(frames.contains(.read(chat: Sample.identifier(1), number: 8)))
        #expect(!frames.contains(.read(chat: Sample.identifier(5_000), number: 1)))
    }
}
