import NIOCore
import NIOEmbedded
import Testing

@testable import YonderTransport

@Suite struct EdgeHandlerTests {
    private func connection(isAnswering: Bool = false) throws -> EmbeddedChannel {
        let handler = EdgeHandler(ticket: nil)
        handler.isAnswering = { isAnswering }
        let channel = EmbeddedChannel(handler: handler)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    @Test func `a connection that gives way is closed at once`() throws {
        let channel = try connection()
        channel.pipeline.fireUserInboundEventTriggered(ConnectionCut())
        #expect(!channel.isActive)
    }

    @Test func `when the server ends, what is incomplete has two seconds`() throws {
        let channel = try connection()
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1_999))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(!channel.isActive)
    }

    @Test func `when the server ends, what is being answered has six seconds`() throws {
        let channel = try connection(isAnswering: true)
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(5_999))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(!channel.isActive)
    }

    @Test func `a connection that ends before leaves nothing to do`() throws {
        let channel = try connection()
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        try channel.close().wait()
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
    }
}
