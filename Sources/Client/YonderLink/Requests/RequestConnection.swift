#if os(Linux)
import NIOCore
import NIOHTTP1
import NIOPosix

/// One HTTP/1.1 connection to a server, which carries a request at a time.
///
/// On Linux `NetworkRequestLink` opens one, keeps it for the next request, and closes it after a failure. Opening and
/// answering throw `lost` with the reason, also for a canceled task or one that takes over the deadline. That one request is
/// under way at a time is the caller's to see to. The times are in `NetworkSettings` (`RequestLinkTests`, with servers that
/// are slow or cut off).
final class RequestConnection: Sendable {
    private let channel: any Channel
    private let reader: NIOLoopBound<AnswerReader>
    private let time: TimeAmount

    private init(_ channel: any Channel, _ reader: NIOLoopBound<AnswerReader>, _ time: TimeAmount) {
        (self.channel, self.reader, self.time) = (channel, reader, time)
    }

    /// Connects; a canceled task gives up at once.
    static func open(_ settings: NetworkSettings) async throws(LinkClosure) -> RequestConnection {
        do {
            let reader = try await ConnectionAttempt.run { attempt in
                try await attempt.connect(settings) { try configure($0, settings) }
            }
            return RequestConnection(reader.channel, reader.reader, settings.deadline)
        } catch {
            throw .lost("\(error)")
        }
    }

    private static func configure(_ channel: any Channel, _ settings: NetworkSettings) throws
        -> (channel: any Channel, reader: NIOLoopBound<AnswerReader>)
    {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHTTPClientHandlers()
        let reader = AnswerReader()
        try pipeline.addHandlers(IdleStateHandler(allTimeout: settings.silence), reader)
        return (channel, NIOLoopBound(reader, eventLoop: channel.eventLoop))
    }

    /// Whether the connection is open, as far as is known.
    var isOpen: Bool { channel.isActive }

    /// Sends a request, and waits for its answer.
    ///
    /// - Returns: The answer, and whether the connection can carry another request.
    func answer(to head: HTTPRequestHead, _ request: LinkRequest) async throws(LinkClosure)
        -> AnswerReader.Read
    {
        let promise = channel.eventLoop.makePromise(of: AnswerReader.Read.self)
        channel.eventLoop.execute { [channel, reader, time] in
            reader.value.begin(promise, limit: request.limit)
            let deadline = channel.eventLoop.scheduleTask(in: time) {
                reader.value.fail(.lost("The server didn't answer in time."))
                channel.close(promise: nil)
            }
            promise.futureResult.whenComplete { _ in deadline.cancel() }
            channel.write(HTTPClientRequestPart.head(head), promise: nil)
            if !request.body.isEmpty {
                let body = channel.allocator.buffer(bytes: request.body)
                channel.write(HTTPClientRequestPart.body(.byteBuffer(body)), promise: nil)
            }
            channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
        }
        do {
            return try await withTaskCancellationHandler {
                try await promise.futureResult.get()
            } onCancel: {
                close()
            }
        } catch {
            throw error as? LinkClosure ?? .lost("\(error)")
        }
    }

    /// Whether the server has sent anything of the answer to the last request.
    func hasBegunToAnswer() async -> Bool {
        (try? await channel.eventLoop.submit { [reader] in reader.value.hasBegun }.get()) ?? true
    }

    func close() {
        channel.close(promise: nil)
    }
}
#endif
