import NIOCore
import TestSupport
import Testing

@testable import YonderHub

@Suite struct ReplyBufferTests {
    @Test func `frames are taken once, in order`() {
        var replies = ReplyBuffer()
        let isFull = [replies.append(Array("one".utf8)), replies.append(Array("two".utf8))]
        #expect(isFull == [false, false] && !replies.isEmpty)
        #expect(TextFrames.payloads(of: replies.take().readableBytesView) == ["one", "two"])
        #expect(replies.isEmpty)
    }

    @Test func `from 64 KiB on they are to be passed on`() {
        var replies = ReplyBuffer()
        let frame = [UInt8](repeating: UInt8(ascii: "x"), count: 32_768)
        let isFull = [replies.append(frame), replies.append(frame)]
        #expect(isFull == [false, true])
    }
}
