import NIOCore
import NIOEmbedded
import NIOWebSocket
import Testing
import YonderModel

@testable import YonderLink

@Suite struct WebSocketFramesTests {
    private func open() throws -> (channel: EmbeddedChannel, frames: WebSocketFrames) {
        let channel = EmbeddedChannel()
        let deadline = channel.eventLoop.scheduleTask(in: .hours(1)) {}
        let frames = WebSocketFrames(deadline: deadline)
        try channel.pipeline.syncOperations.addHandler(frames)
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/nowhere")).wait()
        return (channel, frames)
    }

    private func text(_ text: String) -> WebSocketFrame {
        WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text))
    }

    @Test func `frames are taken in batches, in order`() throws {
        let (channel, frames) = try open()
        for word in ["one", "two"] { try channel.writeInbound(text(word)) }
        #expect(try frames.next()?.wait() == [Array("one".utf8), Array("two".utf8)])
        let next = frames.next()
        try channel.writeInbound(text("three"))
        #expect(try next?.wait() == [Array("three".utf8)])
    }

    @Test
    func `frames from before the end come first, then the reason for the end, however late the caller reads`()
        throws
    {
        let (channel, frames) = try open()
        try channel.writeInbound(text("last"))
        var reason = ByteBuffer(integer: UInt16(1008))
        reason.writeString(SharingError.Code.notSignedIn.rawValue)
        try channel.writeInbound(WebSocketFrame(fin: true, opcode: .connectionClose, data: reason))
        channel.embeddedEventLoop.run()
        #expect(!channel.isActive)
        #expect(try frames.next()?.wait() == [Array("last".utf8)])
        let closure = #expect(throws: LinkClosure.self) { try frames.next()?.wait() }
        #expect(closure == .refused(SharingError(.notSignedIn, "The session ended.")))
    }
}
