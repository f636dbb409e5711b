import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import YonderTransport

@Suite struct BodyFramingTests {
    /// A parser, and what it says to these bytes, given in pieces of so many.
    private func error(after text: String, pieces: Int = 16_384) throws -> (any Error)? {
        let decoder = BoundedRequestDecoder(NIOHTTPDecoderLimitConfiguration())
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(decoder))
        try channel.pipeline.syncOperations.addHandler(Telling(decoder))
        var rest = ByteBuffer(string: text)
        do {
            while rest.readableBytes > 0, let piece = rest.readSlice(length: min(pieces, rest.readableBytes))
            {
                try channel.writeInbound(piece)
            }
        } catch {
            return error
        }
        return nil
    }

    private let head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"

    @Test func `an extension of a chunk has a limit`() throws {
        let fine = head + "1;" + String(repeating: "x", count: 60_000) + "\r\na\r\n0\r\n\r\n"
        #expect(try error(after: fine) == nil)
        let long = head + "1;" + String(repeating: "x", count: 200_000)
        #expect(try error(after: long) is HTTPParserError)
    }

    @Test func `many extensions together have a limit, too`() throws {
        let chunk = "1;" + String(repeating: "x", count: 1_000) + "\r\na\r\n"
        #expect(try error(after: head + String(repeating: chunk, count: 100)) == nil)
        #expect(try error(after: head + String(repeating: chunk, count: 200)) is HTTPParserError)
    }

    @Test func `a body in chunks of one byte each is no matter`() throws {
        #expect(
            try error(after: head + String(repeating: "1\r\na\r\n", count: 200_000), pieces: 60_000) == nil
        )
    }

    @Test func `a long body without chunks is no matter, nor are many requests`() throws {
        let body =
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n"
            + String(repeating: "a", count: 1_000_000)
        #expect(try error(after: body) == nil)
        let requests = String(repeating: "GET / HTTP/1.1\r\nHost: x\r\n\r\n", count: 20_000)
        #expect(try error(after: requests, pieces: 65_536) == nil)
    }
}

/// Tells a parser what it has handed on.
private final class Telling: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    private let decoder: BoundedRequestDecoder

    init(_ decoder: BoundedRequestDecoder) {
        self.decoder = decoder
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        decoder.handedOn(unwrapInboundIn(data))
    }
}
