package import YonderGeodesy
package import YonderModel

/// Keeps the shares of chats; they change by submissions to a ``ChatStore``, in the same commit as their `Share` message.
///
/// The exchange reads all shares at its start and after lost frames, and has positions erased periodically, until a call
/// returns 0. When a share ends and what it becomes is decided by `ShareRules`. An erasing that fails is done by a later
/// call; that of an expiring share that is over is a promise (`Documentation/sharing.md`, decision 18).
package protocol ShareStore: Sendable {
    /// Every share that is known: those that run, and those that ended a while ago; in no order.
    ///
    /// - Throws: `unavailable`.
    func shares() async throws(SharingError) -> [Share]

    /// Empties positions of an expiring share that is over at `now`, among the next `limit` of its person's; the next call
    /// goes on behind.
    ///
    /// - Returns: 0 if there is no such share, else at least 1.
    /// - Throws: `unavailable`.
    @discardableResult
    func eraseShares(at now: Timestamp, limit: Int) async throws(SharingError) -> Int
}
