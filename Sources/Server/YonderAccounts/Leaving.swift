package import YonderGeodesy
package import YonderModel
package import YonderRules

/// Has a user leave many chats.
///
/// The user leaves ``step`` chats at a time, so that submissions of others are committed between two steps. The rate
/// limit for writes doesn't apply.
///
/// `Removal` uses it for an account that is removed, `PeopleEndpoints` for a person who blocks another and leaves the
/// groups that the other owns. A chat that the user isn't in any more is skipped; any other refusal ends the run, and a
/// repeat goes on with the chats that are left (`RemovalTests`, `BlockedOwnerTests`). ``step`` may be changed.
package struct Leaving: Sendable {
    /// How many chats a user leaves at a time.
    package static let step = 16

    /// Why a user leaves, which begins the keys of the submissions.
    package enum Cause: String, Sendable {
        /// The user is removed.
        case removal = "removed"
        /// The user blocks the owner.
        case block = "blocked"
    }

    private let chats: any ChatStore
    private let now: @Sendable () -> Timestamp

    /// Creates the leaving of a store's chats.
    package init(chats: any ChatStore, now: @escaping @Sendable () -> Timestamp) {
        self.chats = chats
        self.now = now
    }

    /// Leaves chats, in order.
    ///
    /// - Parameters:
    ///   - all: The chats; one that the user has left already is skipped.
    ///   - user: The user.
    ///   - cause: Why the user leaves.
    ///   - staysOut: Whether the user can't be added again; for groups alone.
    ///   - warrant: The right by which the user leaves.
    /// - Returns: How many chats the user left.
    /// - Throws: `unavailable`; the steps before stay done.
    @discardableResult
    package func leave(
        _ all: [ChatID],
        of user: UserID,
        cause: Cause,
        staysOut: Bool = false,
        under warrant: Warrant
    )
        async throws(SharingError) -> Int
    {
        let action: Submission.Action = staysOut ? .stayOut : .leave
        var count = 0
        var left = all[...]
        while !left.isEmpty {
            count += try await step(left.prefix(Self.step), of: user, cause, action, warrant)
            left = left.dropFirst(Self.step)
        }
        return count
    }

    private func step(
        _ chats: ArraySlice<ChatID>,
        of user: UserID,
        _ cause: Cause,
        _ action: Submission.Action,
        _ warrant: Warrant
    ) async throws(SharingError) -> Int {
        let time = now()
        let submissions = chats.map { chat in
            let key = "\(cause.rawValue)-\(Secret.random().text)"
            return Submission(chat: chat, sender: user, key: key, action: action, time: time, under: warrant)
        }
        let results = await withCheckedContinuation { continuation in
            self.chats.submit(submissions) { continuation.resume(returning: $0) }
        }
        var count = 0
        for result in results {
            do throws(SharingError) {
                _ = try result.get()
                count += 1
            } catch  where error.code == .notParticipant {
                // The user left by themselves a moment ago.
            }
        }
        return count
    }
}
