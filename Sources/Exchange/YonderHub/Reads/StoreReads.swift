import NIOCore
import YonderModel

/// Reads from the store for one event loop, in the order that its ``ReadQueue`` decides.
///
/// Belongs to the event loop.
///
/// `HubLoop` has one; lists, feeds and sessions ask it for every read, with what the answer does. The answer comes on
/// the loop, never inside the call that asked, and not at all if the read was canceled. An error that isn't a
/// `SharingError` is an `internalError`. Nothing else of a loop may read the store by itself: the bound of reads under
/// way holds for all of them (`SessionReadsTests`).
final class StoreReads {
    private let eventLoop: any EventLoop
    private unowned let owner: any AnyObject & Sendable
    private var queue: ReadQueue

    /// The lanes of users.
    let lanes = ReadLanes()

    /// The lane of the reads that the loop makes for many sessions at once: of chats that changed.
    let ownLane = ReadLane(limit: 16)

    /// Creates the reads of a loop that has at most `limit` of them under way; `owner` is kept until they are answered.
    init(on eventLoop: any EventLoop, of owner: any AnyObject & Sendable, limit: Int) {
        self.eventLoop = eventLoop
        self.owner = owner
        queue = ReadQueue(limit: limit)
    }

    /// Queues a read of the store, and calls `then` with the answer on this event loop.
    ///
    /// - Parameters:
    ///   - lane: The lane in which the read is queued.
    ///   - onEnd: Called when the read ended or was canceled while queued, after `then`.
    ///   - ask: Reads from the store.
    ///   - then: Receives the answer, unless the read was canceled before.
    /// - Returns: The read, to be canceled when its answer isn't needed any more.
    @discardableResult
    func read<Answer: Sendable>(
        in lane: ReadLane,
        onEnd: (() -> Void)? = nil,
        _ ask: @escaping @Sendable () async throws(SharingError) -> Answer,
        then: @escaping (Result<Answer, SharingError>) -> Void
    ) -> PendingRead {
        let read = PendingRead(in: lane) { [unowned self] read in
            // The owner, and so the loop, is kept until the answer has been received.
            eventLoop.makeFutureWithTask(ask).assumeIsolated().whenComplete { [self, owner] result in
                withExtendedLifetime(owner) {
                    if !read.isCanceled { then(result.mapError(SharingError.init(ofStore:))) }
                    ended(read)
                }
            }
        }
        read.onEnd = onEnd
        queue.append(read)
        startReads()
        return read
    }

    private func ended(_ read: PendingRead) {
        queue.ended(read)
        read.end()
        lanes.removeIfIdle(read.lane)
        startReads()
    }

    private func startReads() {
        while let read = queue.next() { read.begin() }
    }
}

extension SharingError {
    fileprivate init(ofStore error: any Error) {
        self =
            error as? SharingError
            ?? SharingError(.internalError, "The store could not be read; try again later.")
    }
}
