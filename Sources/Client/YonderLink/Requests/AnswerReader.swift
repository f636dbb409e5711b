#if os(Linux)
import NIOCore
import NIOHTTP1

/// Reads the answers of one connection, each whole.
///
/// Belongs to its channel's event loop. The connection carries one request at a time.
///
/// `RequestConnection` adds one to its channel and calls ``begin(_:limit:)`` for each request; NIO calls the rest. The
/// promise is kept once: with the answer, or with `lost` for an end, a silence, or a body over the limit, after which the
/// channel is closed. ``hasBegun`` decides whether a request may be sent again on a new connection, and must be right
/// (`RequestLinkTests`, with a server that misbehaves).
final class AnswerReader: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    /// An answer, and whether the connection can carry another request.
    struct Read: Sendable {
        let answer: LinkAnswer
        let isKept: Bool
    }

    /// An answer that is being read.
    private struct Reading {
        let promise: EventLoopPromise<Read>
        let limit: Int
        var head: HTTPResponseHead?
        var body: [UInt8] = []
    }

    private var reading: Reading?
    private(set) var isClosed = false

    /// Whether anything of an answer to the request was received; else the server may not have received it.
    private(set) var hasBegun = false

    /// Call this before a request is written.
    func begin(_ promise: EventLoopPromise<Read>, limit: Int) {
        hasBegun = false
        reading = Reading(promise: promise, limit: limit)
        if isClosed { fail(.lost("The connection is closed.")) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard reading != nil else { return context.close(promise: nil) }
        hasBegun = true
        switch unwrapInboundIn(data) {
        case .head(let head): begin(head, context)
        case .body(let bytes): append(bytes, context)
        case .end: end(context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        isClosed = true
        fail(.lost("The server closed the connection."))
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is IdleStateHandler.IdleStateEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        fail(.lost("The server was silent for too long."))
        context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(.lost("\(error)"))
        context.close(promise: nil)
    }

    /// Ends the reading, with the reason.
    func fail(_ closure: LinkClosure) {
        guard let promise = reading?.promise else { return }
        reading = nil
        promise.fail(closure)
    }

    private func begin(_ head: HTTPResponseHead, _ context: ChannelHandlerContext) {
        reading?.head = head
        let length = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
        if length > reading?.limit ?? 0 { refuse(context) }
    }

    private func append(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        reading?.body += bytes.readableBytesView
        if let reading, reading.body.count > reading.limit { refuse(context) }
    }

    private func refuse(_ context: ChannelHandlerContext) {
        fail(.lost("The answer is longer than \(reading?.limit ?? 0) bytes."))
        context.close(promise: nil)
    }

    private func end(_ context: ChannelHandlerContext) {
        guard let reading, let head = reading.head else { return }
        self.reading = nil
        let headers = head.headers.map { LinkHeader($0.name, $0.value) }
        let answer = LinkAnswer(status: Int(head.status.code), headers: headers, body: reading.body)
        if !head.isKeepAlive { context.close(promise: nil) }
        reading.promise.succeed(Read(answer: answer, isKept: head.isKeepAlive))
    }
}
#endif
