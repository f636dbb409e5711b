import NIOCore
import NIOHTTP1

/// How much of a request's body is framing: chunk sizes, their extensions, and trailers.
///
/// The parser has no limit for a chunk's extension, and tells nobody about it. So what it consumes is compared with what
/// it hands on.
struct BodyFraming {
    /// Bytes that are framing in any case: the head of the request, and what was read together with it.
    static let allowance = 128 * 1024

    /// Further bytes of framing for each byte of content; a chunk of one byte has six.
    static let perContentByte = 8

    private var consumed = 0
    private var content = 0

    /// A request begins.
    mutating func began() {
        (consumed, content) = (0, 0)
    }

    /// The parser handed on so many bytes of a body.
    mutating func handedOn(_ count: Int) {
        content += count
    }

    /// The parser consumed so many bytes.
    ///
    /// - Returns: Whether the request may go on.
    mutating func consumed(_ count: Int) -> Bool {
        consumed += count
        return consumed - content <= Self.allowance + Self.perContentByte * content
    }
}

/// NIO's parser of requests, with a limit for what isn't content.
final class BoundedRequestDecoder: ByteToMessageDecoder {
    typealias InboundOut = HTTPServerRequestPart

    private let base: HTTPRequestDecoder
    private var framing = BodyFraming()

    init(_ limits: NIOHTTPDecoderLimitConfiguration) {
        base = HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: limits)
    }

    /// The parser has handed on a part.
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
