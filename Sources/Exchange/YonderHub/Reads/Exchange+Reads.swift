import NIOCore
import YonderBus
package import YonderRules
package import YonderModel

// Reads for requests of REST, in the same lanes as those of the user's sessions, so that a person with many requests
// delays nobody else. `TrackEndpoints`, `MessageEndpoints` and others call them, on any thread; a canceled request still
// waits for its read. What a user is answered of positions is counted on all nodes (`AnsweredPositions`,
// `WriteNodesTests`). The 256 reads that may wait may be changed.

extension Exchange {
    /// Reads from the store for a user's request, in the lane of the user's sessions on one event loop.
    ///
    /// All requests of a user take the same loop: however many connections they come from, the lane has eight reads of
    /// them under way, and the reads of others take turns with it.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - ask: Reads from the store.
    /// - Returns: The answer.
    /// - Throws: The errors of `ask`; `tooManyRequests` if too many reads of the user wait.
    package func read<Answer: Sendable>(
        for user: UserID,
        _ ask: @escaping @Sendable () async throws(SharingError) -> Answer
    ) async throws(SharingError) -> Answer {
        let loops = loops
        let loop = loops[Int(user.rawValue.magnitude % UInt64(loops.count))]
        let result = await withCheckedContinuation { continuation in
            loop.eventLoop.execute {
                loop.value.read(for: user, ask) { continuation.resume(returning: $0) }
            }
        }
        return try result.get()
    }

    /// Reads positions from the store for a user's request, within what a user may be answered on all nodes together.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - ask: Reads from the store.
    /// - Returns: The answer.
    /// - Throws: The errors of ``read(for:_:)``; `tooManyRequests` if the user was answered too many.
    package func readPositions(
        for user: UserID,
        _ ask: @escaping @Sendable () async throws(SharingError) -> MessageAnswer
    ) async throws(SharingError) -> MessageAnswer {
        let wait = positions.wait(of: user, at: uptime())
        guard wait == .zero else {
            let message = "You were answered the positions that a minute allows; ask again after retryAfter."
            throw SharingError(.tooManyRequests, message, retryAfter: wait)
        }
        let page = try await read(for: user, ask)
        positions.charge(page.messages.count, to: user, at: uptime())
        if !page.messages.isEmpty { link.publish(.answered(page.messages.count, to: user)) }
        return page
    }
}

extension HubLoop {
    /// The most reads of one user that wait when a request asks for another.
    private static let waitingReads = 256

    fileprivate func read<Answer: Sendable>(
        for user: UserID,
        _ ask: @escaping @Sendable () async throws(SharingError) -> Answer,
        then: @escaping (Result<Answer, SharingError>) -> Void
    ) {
        let lane = reads.lanes.lane(of: user)
        guard lane.queued.count < Self.waitingReads else {
            let message = "\(Self.waitingReads) of your requests wait; send the same again after retryAfter."
            return then(.failure(SharingError(.tooManyRequests, message, retryAfter: .seconds(1))))
        }
        reads.read(in: lane, ask, then: then)
    }
}
