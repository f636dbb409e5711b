import Synchronization
import YonderGeodesy
import YonderModel
import YonderRules

/// The one-to-one chats in which a participant blocks the other: a mutex around a dictionary.
///
/// The store refuses messages to these chats by itself. The hub uses the table for messages that it passes on without
/// storing them.
///
/// Changes may come in another order than they were made; of one participant's in a chat, an older one never replaces a
/// newer one.
///
/// `Exchange` fills it at the start and after lost frames, and `apply`s each block that a commit or another node
/// reports, on any thread; `PresenceLists` asks too. ``update(_:since:)`` and ``apply(_:)`` return the chats that
/// changed, whose viewers are then sent the change. That an older change never replaces a newer one must stay: it is
/// ordered by the version of the chat's row (decision 37, `ClosedChatsTests`).
final class ClosedChats: Sendable {
    fileprivate struct State: Sendable {
        /// For each closed chat, the participants who block the other one.
        var blockers: [ChatID: Set<UserID>]

        /// The numbers of the last changes.
        var numbers: [ChatID: [UserID: Int64]] = [:]

        mutating func set(_ chat: ChatID, by blocker: UserID, isBlocked: Bool) {
            if isBlocked {
                blockers[chat, default: []].insert(blocker)
            } else {
                blockers[chat]?.remove(blocker)
                if blockers[chat]?.isEmpty ?? false { blockers[chat] = nil }
            }
        }
    }

    private let state: Mutex<State>

    /// Creates the table.
    ///
    /// - Parameter blockers: For each closed chat, the participants who block the other one; read from the store.
    init(_ blockers: [ChatID: Set<UserID>]) {
        state = Mutex(State(blockers: blockers))
    }

    /// Whether a chat takes no messages.
    func contains(_ chat: ChatID) -> Bool {
        state.withLock { $0.blockers[chat] != nil }
    }

    /// Every chat that takes no messages.
    var all: [ChatID] { state.withLock { Array($0.blockers.keys) } }

    /// The table at an instant.
    struct Snapshot: Sendable {
        fileprivate let state: State
    }

    /// The table as it is; take it before the store is read for ``update(_:since:)``.
    var snapshot: Snapshot { state.withLock { Snapshot(state: $0) } }

    /// Applies what was read from the store; keeps the changes that were received during the read.
    ///
    /// - Parameters:
    ///   - stored: For each closed chat, the participants who block the other one.
    ///   - past: The table before the store was read.
    /// - Returns: The chats that were closed or opened.
    @discardableResult
    func update(_ stored: [ChatID: Set<UserID>], since past: Snapshot) -> [ChatID] {
        state.withLock { state in
            var changed: [ChatID] = []
            for chat in Set(stored.keys).union(past.state.blockers.keys) {
                let wasClosed = state.blockers[chat] != nil
                let (now, before) = (stored[chat] ?? [], past.state.blockers[chat] ?? [])
                for blocker in now.symmetricDifference(before)
                where state.numbers[chat]?[blocker] == past.state.numbers[chat]?[blocker] {
                    state.set(chat, by: blocker, isBlocked: now.contains(blocker))
                }
                if wasClosed != (state.blockers[chat] != nil) { changed.append(chat) }
            }
            return changed
        }
    }

    /// Receives that a participant blocks the other, or no longer does; then the chat stays closed if the other blocks them.
    ///
    /// - Returns: The chat if it was closed or opened by this, else `nil`.
    @discardableResult
    func apply(_ change: BlockChange) -> ChatID? {
        state.withLock { state in
            guard change.number > state.numbers[change.chat]?[change.blocker] ?? .min else { return nil }
            let wasClosed = state.blockers[change.chat] != nil
            state.numbers[change.chat, default: [:]][change.blocker] = change.number
            state.set(change.chat, by: change.blocker, isBlocked: change.isBlocked)
            return wasClosed == (state.blockers[change.chat] != nil) ? nil : change.chat
        }
    }
}
