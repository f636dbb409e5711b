package import YonderGeodesy
package import YonderModel

/// Keeps the shares of chats; they change by submissions to a ``ChatStore``, in the same commit as their `Share` message.
package protocol ShareStore: Sendable {
    /// Every share that is known: those that run, and those that ended a while ago; in no order.
    ///
    /// - Throws: `unavailable`.
    func shares() async throws(SharingError) -> [Share]

    /// Empties positions of an expiring share that is over at `now`, among the next `limit` of its person's; the next call goes on behind.
    ///
    /// - Returns: 0 if there is no such share, else at least 1.
    /// - Throws: `unavailable`.
    @discardableResult
    func eraseShares(at now: Timestamp, limit: Int) async throws(SharingError) -> Int
}
