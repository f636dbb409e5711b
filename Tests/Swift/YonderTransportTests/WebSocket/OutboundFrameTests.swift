import NIOCore
import Testing

@testable import YonderTransport

@Suite struct OutboundFrameTests {
    @Test func `a frame's header has the shortest length there is`() {
        #expect(OutboundFrame.text([0x41]) == ByteBuffer(bytes: [0x81, 1, 0x41]))
        let long = OutboundFrame.binary(ByteBuffer(repeating: 7, count: 126))
        #expect(Array(long.readableBytesView.prefix(4)) == [0x82, 126, 0, 126])
        let longest = OutboundFrame.text(ByteBuffer(repeating: 0x41, count: 65536))
        #expect(Array(longest.readableBytesView.prefix(10)) == [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0])
        #expect(longest.readableBytes == 65546)
    }

    @Test func `a close has its code, and a reason cut at a character`() {
        #expect(OutboundFrame.close(code: nil) == ByteBuffer(bytes: [0x88, 0]))
        let frame = OutboundFrame.close(code: 1000, reason: String(repeating: "ü", count: 100))
        #expect(Array(frame.readableBytesView.prefix(4)) == [0x88, 124, 0x03, 0xE8])
    }
}

@Suite struct LivenessTests {
    @Test func `a silent peer is pinged, then given up`() {
        var liveness = Liveness()
        #expect(liveness.look() == .wait)
        #expect(liveness.look() == .ping)
        #expect(liveness.look() == .close)
    }

    @Test func `a peer that answers is kept`() {
        var liveness = Liveness()
        for _ in 0..<10 {
            _ = liveness.look()
            liveness.heard()
            #expect(liveness.look() == .wait)
            #expect(liveness.look() == .ping)
            liveness.heard()
        }
    }
}
