import NIOCore
import NIOHTTP1

/// NIO's parser of requests, with a limit for framing and for requests that wait for an answer.
///
/// Framing that is too long (chunk extensions, trailers) throws an error, which closes the connection; heads are limited by NIO.
/// Without it a client could send framing for ever that counts as no body.
///
/// A request in memory takes many times its bytes. So NIO's parser gets few bytes at a time, and none while ``isFull``: these stay as
/// they came, until the handler is called again. Those left when the client closes its end aren't parsed.
final class BoundedRequestDecoder: ByteToMessageDecoder {
    typealias InboundOut = HTTPServerRequestPart

    /// The bytes after which it is asked again whether more may be parsed; a body whose length is known is parsed at once.
    private static let step = 1_024

    /// Whether so many requests wait for an answer that no more may be parsed.
    var isFull: () -> Bool = { false }

    private let base: HTTPRequestDecoder
    private var framing = BodyFraming()

    /// The bytes at the buffer's front that the parser has read and leaves there: of a line that isn't complete.
    private var seen = 0

    /// The bytes that are missing of a body whose length is known, else 0.
    private var missing = 0

    init(_ limits: NIOHTTPDecoderLimitConfiguration) {
        base = HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: limits)
    }

    /// Call this when the parser has delivered a part.
    func handedOn(_ part: HTTPServerRequestPart) {
        switch part {
        case .head(let head):
            framing.began()
            missing = head.headers["content-length"].first.flatMap { Int($0) } ?? 0
        case .body(let bytes):
            framing.handedOn(bytes.readableBytes)
            missing = max(0, missing - bytes.readableBytes)
        case .end: missing = 0
        }
    }

    func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        let count = min(buffer.readableBytes, seen + max(Self.step, missing))
        guard count > seen, !isFull(), var piece = buffer.getSlice(at: buffer.readerIndex, length: count)
        else {
            return .needMoreData
        }
        _ = try base.decode(context: context, buffer: &piece)
        let consumed = count - piece.readableBytes
        buffer.moveReaderIndex(forwardBy: consumed)
        guard framing.consumed(consumed) else { throw HTTPParserError.invalidChunkSize }
        seen = count - consumed
        return buffer.readableBytes > seen ? .continue : .needMoreData
    }

    func decodeLast(
        context: ChannelHandlerContext,
        buffer: inout ByteBuffer,
        seenEOF: Bool
    ) throws -> DecodingState {
        while try decode(context: context, buffer: &buffer) == .continue {}
        guard !seenEOF || !isFull() else {
            buffer.moveReaderIndex(to: buffer.writerIndex)
            return .needMoreData
        }
        return try base.decodeLast(context: context, buffer: &buffer, seenEOF: seenEOF)
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
