import NIOCore
import NIOHTTP1

/// The share of framing in a request's body: chunk sizes, chunk extensions, and trailers.
///
/// The parser has no limit for chunk extensions and doesn't report them. So the bytes that it consumes are
/// compared with those that it delivers.
struct BodyFraming {
    /// Bytes of framing that are always allowed: the head of the request, and the rest of the read that
    /// contained it.
    static let allowance = 128 * 1024

    /// Further bytes of framing for each byte of content; a chunk of one byte has six.
    static let perContentByte = 8

    private var consumed = 0
    private var content = 0

    /// Call this when a request begins.
    mutating func began() {
        (consumed, content) = (0, 0)
    }

    /// Call this when the parser has delivered bytes of a body.
    mutating func handedOn(_ count: Int) {
        content += count
    }

    /// Call this when the parser has consumed bytes.
    ///
    /// - Returns: Whether the request may continue.
    mutating func consumed(_ count: Int) -> Bool {
        consumed += count
        return consumed - content <= Self.allowance + Self.perContentByte * content
    }
}

/// NIO's parser of requests, with a limit for framing.
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
