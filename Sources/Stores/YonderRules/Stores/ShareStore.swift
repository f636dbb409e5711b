package import YonderGeodesy
package import YonderModel

/// Keeps the shares of chats; they change by submissions to a ``ChatStore``, in the same commit as their `Share` message.
///
/// The exchange reads all shares at its start and after lost frames, and has positions erased periodically, until a call
/// returns 0. When a share ends and what it becomes is decided by `ShareRules`. An erasing that fails is done by a later
/// call, from the place that the last commit reached; that of an expiring share that is over is a promise
/// (`Documentation/sharing.md`, decision 18). `SQLiteStore` and `PostgreSQLStore` implement it, and `StoreRule` has its rules.
package protocol ShareStore: Sendable {
    /// Every share that is known: those that run, and those that ended a while ago; in no order.
    ///
    /// - Throws: `unavailable`.
    func shares() async throws(SharingError) -> [Share]

    /// The shares among these that have ended and are still known, in no order.
    ///
    /// - Throws: `unavailable`.
    func endedShares(among ids: [ShareID]) async throws(SharingError) -> [Share]

    /// Notes that a session or token of a share's person feeds the share; does nothing if that is known, or if the share isn't
    /// one that was started and runs.
    ///
    /// - Parameters:
    ///   - share: The share, as the caller knows it.
    ///   - signIn: The session or token.
    ///   - now: The server's time.
    /// - Returns: Whether the share has the session or token among those that feed it.
    /// - Throws: `notSignedIn` if the session or token is good no longer; `unavailable`.
    func feed(_ share: Share, by signIn: SecretHash, at now: Timestamp) async throws(SharingError) -> Bool

    /// Empties positions of one share of a limited time that is over at `now`.
    ///
    /// A call looks at up to `limit` messages of the share's person, and stores in the share up to which message it came; the
    /// next call begins behind that one.
    ///
    /// - Returns: 0 if there is no such share; else a number from 1 up, and there may be more to do.
    /// - Throws: `unavailable`.
    @discardableResult
    func eraseShares(at now: Timestamp, limit: Int) async throws(SharingError) -> Int
}
