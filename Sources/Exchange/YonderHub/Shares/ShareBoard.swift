package import YonderGeodesy
package import YonderModel
import Synchronization

/// The shares of all chats as every loop sees them: a mutex around a ``ShareRoll``.
///
/// The board is never behind the store: a commit is applied here before its sender gets the answer.
///
/// `Exchange` has one; loops, endpoints and other nodes' frames call it, on any thread. Nothing throws. A closure must
/// be short, and must not call the board again. What is decided is in ``ShareRoll`` (decision 18, `ShareRollTests`).
package final class ShareBoard: Sendable {
    private let roll: Mutex<ShareRoll>

    /// The server's time.
    package let now: @Sendable () -> Timestamp

    init(_ shares: [Share], now: @escaping @Sendable () -> Timestamp) {
        roll = Mutex(ShareRoll(shares))
        self.now = now
    }

    /// Reads or changes the roll.
    func callAsFunction<Result: Sendable, Failure: Error>(
        _ body: (inout ShareRoll) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try roll.withLock { roll throws(Failure) in try body(&roll) }
    }

    /// The shares that a chat's participants see.
    package func shown(in chat: ChatID) -> [ShownShare] {
        roll.withLock { $0.shown(in: chat, at: now()) }
    }

    /// A person's own running shares, in every chat.
    package func shown(of user: UserID) -> [ShownShare] {
        roll.withLock { $0.shown(of: user, at: now()) }
    }

    /// One share, as its viewers see it.
    package func shown(_ share: Share) -> ShownShare? {
        roll.withLock { $0.show([share], at: now(), toAll: false).first }
    }
}
