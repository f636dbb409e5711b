import NIOCore
import NIOSSL

/// Cuts what a channel reads into operations.
///
/// Belongs to its channel's event loop. Keeps at most one unread operation, which the parser's limits bound.
///
/// `NATSConnector` adds one to each connection; it passes `NATSClient` operations, messages and the end. A fault of the
/// bytes ends the connection with its reason; nothing traps. It reads on only after what came was handled, so a slow
/// owner slows the server down. That bytes between `INFO` and TLS are refused must stay (`NATSClientTests`,
/// `NATSParserTests`).
final class NATSHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let client: NATSClient
    private var parser = NATSParser()
    private var unread = ByteBuffer()
    private var context: ChannelHandlerContext?
    private var error: NATSError?

    init(_ client: NATSClient) {
        self.client = client
    }

    /// The most bytes of a payload.
    var payloadLimit: Int {
        get { parser.limits.payload }
        set { parser.limits.payload = newValue }
    }

    /// Begins TLS; what is written from now on waits for the handshake.
    ///
    /// - Throws: `bytesBeforeTLS` if anything follows the `INFO`: another than the server may have sent that.
    func secure(_ handler: NIOSSLClientHandler) throws {
        guard unread.readableBytes == 0 else { throw NATSFault.bytesBeforeTLS }
        try context?.pipeline.syncOperations.addHandler(handler, position: .first)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        let count = bytes.readableBytes
        if unread.readableBytes == 0 {
            unread = bytes
        } else {
            unread.discardReadBytes()
            unread.writeBuffer(&bytes)
        }
        do {
            client.counted(messages: try readOperations(), bytes: count)
        } catch {
            self.error = NATSError(error)
            unread.clear()
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The first error is the reason, the later ones follow from it.
        self.error = self.error ?? client.error(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        client.closed(self, error)
    }

    /// Passes on every operation that has come as a whole; returns the number of messages.
    private func readOperations() throws(NATSFault) -> Int {
        var messages = 0
        while let item = try nextItem() {
            let payload = item.payload.flatMap {
                unread.getSlice(at: unread.readerIndex + $0.lowerBound, length: $0.count)
            }
            unread.moveReaderIndex(forwardBy: item.used)
            messages += payload == nil ? 0 : 1
            client.received(item.operation, payload, from: self)
        }
        return messages
    }

    private func nextItem() throws(NATSFault) -> NATSParser.Item? {
        let item = unread.withUnsafeReadableBytes { bytes in
            Result { () throws(NATSFault) in try parser.next(bytes.bindMemory(to: UInt8.self).span) }
        }
        return try item.get()
    }
}
