import NIOCore
import NIOEmbedded
import Testing

@testable import YonderTransport

@Suite struct FirstRequestHandlerTests {
    /// Adds the handler to a channel that isn't active; answers how often it has settled what the channel becomes.
    private func add(to channel: EmbeddedChannel) throws -> () -> Int {
        var count = 0
        let handler = FirstRequestHandler(
            FirstRequestHandler.Environment(
                decoder: Nothing(),
                handedOn: { _ in },
                parseOn: {},
                encoder: Nothing(),
                policy: { _ in .refuse },
                answer: { _ in RequestFault.Answer(contentType: "text/plain", body: ByteBuffer()) },
                serveHTTP: {},
                serveWebSocket: { _, _ in },
                settled: { _ in count += 1 },
                presence: ClientPresence(),
                ticket: nil,
                body: IncomingBody(of: channel, settings: BodyPace.Settings(), counts: OpenBodies(limit: 1))
            )
        )
        try channel.pipeline.syncOperations.addHandler(handler)
        return { count }
    }

    @Test func `a connection that ends before it has begun becomes nothing, and says so`() throws {
        let channel = EmbeddedChannel()
        let settled = try add(to: channel)
        #expect(settled() == 0)
        channel.close(promise: nil)
        channel.embeddedEventLoop.run()
        #expect(settled() > 0)
    }
}

private final class Nothing: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Never
}
