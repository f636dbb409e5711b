import NIOCore
import NIOHTTP1

/// NIO's parser of requests, with a limit for framing.
///
/// `ClientConnections` adds it to each connection in place of NIO's own. Framing that is too long (chunk extensions,
/// trailers) throws an error, which closes the connection; heads are limited by NIO. Without it a client could send
/// framing for ever that counts as no body (`BodyFramingTests`). The limit may be changed.
final class BoundedRequestDecoder: ByteToMessageDecoder {
    typealias InboundOut = HTTPServerRequestPart

    private let base: HTTPRequestDecoder
    private var framing = BodyFraming()

    init(_ limits: NIOHTTPDecoderLimitConfiguration) {
        base = HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: limits)
    }

    /// Call this when the parser has delivered a part.
    func handedOn(_ part: HTTPServerRequestPart) {
        switch part {
        case .head: framing.began()
        case .body(let bytes): framing.handedOn(bytes.readableBytes)
        case .end: break
        }
    }

    func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        let before = buffer.readableBytes
        let state = try base.decode(context: context, buffer: &buffer)
        guard framing.consumed(before - buffer.readableBytes) else { throw HTTPParserError.invalidChunkSize }
        return state
    }

    func decodeLast(
        context: ChannelHandlerContext,
        buffer: inout ByteBuffer,
        seenEOF: Bool
    ) throws -> DecodingState {
        try base.decodeLast(context: context, buffer: &buffer, seenEOF: seenEOF)
    }

    func decoderAdded(context: ChannelHandlerContext) {
        base.decoderAdded(context: context)
    }

    func decoderRemoved(context: ChannelHandlerContext) {
        base.decoderRemoved(context: context)
    }

    func shouldReclaimBytes(buffer: ByteBuffer) -> Bool {
        base.shouldReclaimBytes(buffer: buffer)
    }
}
