import Synchronization
import YonderGeodesy
import YonderModel

/// The one-to-one chats in which a participant blocks the other: a mutex around a dictionary.
///
/// The store refuses their messages by itself; this is for what the hub passes on and doesn't store.
final class ClosedChats: Sendable {
    private let blockers: Mutex<[ChatID: Set<UserID>]>

    /// Creates the table.
    ///
    /// - Parameter blockers: The participants who block, by chat, as the store has them.
    init(_ blockers: [ChatID: Set<UserID>]) {
        self.blockers = Mutex(blockers)
    }

    /// Whether a chat takes no messages.
    func contains(_ chat: ChatID) -> Bool {
        blockers.withLock { $0[chat] != nil }
    }

    /// Every chat that takes no messages.
    var all: [ChatID] { blockers.withLock { Array($0.keys) } }

    /// Records that a participant blocks the other.
    func close(_ chat: ChatID, by blocker: UserID) {
        blockers.withLock { _ = $0[chat, default: []].insert(blocker) }
    }

    /// Records that a participant no longer blocks the other; the chat stays closed if the other blocks them.
    func open(_ chat: ChatID, by blocker: UserID) {
        blockers.withLock { chats in
            chats[chat]?.remove(blocker)
            if chats[chat]?.isEmpty ?? false { chats[chat] = nil }
        }
    }
}
