import Synchronization
import YonderGeodesy
package import YonderModel

/// The one-to-one chats in which a participant blocks the other: a mutex around a dictionary.
///
/// The store refuses messages to these chats by itself. The hub uses the table for messages that it passes on without storing them.
package final class ClosedChats: Sendable {
    private let blockers: Mutex<[ChatID: Set<UserID>]>

    /// Creates the table.
    ///
    /// - Parameter blockers: For each closed chat, the participants who block the other one; read from the store.
    package init(_ blockers: [ChatID: Set<UserID>]) {
        self.blockers = Mutex(blockers)
    }

    /// Whether a chat takes no messages.
    package func contains(_ chat: ChatID) -> Bool {
        blockers.withLock { $0[chat] != nil }
    }

    /// Every chat that takes no messages.
    package var all: [ChatID] { blockers.withLock { Array($0.keys) } }

    /// For each closed chat, the participants who block the other one.
    package var blocks: [ChatID: Set<UserID>] { blockers.withLock(\.self) }

    /// Applies the differences between the store and this table; keeps the changes that were recorded during the read of the store.
    ///
    /// - Parameters:
    ///   - stored: The store's value of ``blocks``.
    ///   - known: The value of ``blocks`` before the store was read.
    package func update(_ stored: [ChatID: Set<UserID>], since known: [ChatID: Set<UserID>]) {
        for (chat, blockers) in stored {
            for blocker in blockers.subtracting(known[chat] ?? []) { close(chat, by: blocker) }
        }
        for (chat, blockers) in known {
            for blocker in blockers.subtracting(stored[chat] ?? []) { open(chat, by: blocker) }
        }
    }

    /// Records that a participant blocks the other.
    package func close(_ chat: ChatID, by blocker: UserID) {
        blockers.withLock { _ = $0[chat, default: []].insert(blocker) }
    }

    /// Records that a participant no longer blocks the other; the chat stays closed if the other blocks them.
    package func open(_ chat: ChatID, by blocker: UserID) {
        blockers.withLock { chats in
            chats[chat]?.remove(blocker)
            if chats[chat]?.isEmpty ?? false { chats[chat] = nil }
        }
    }
}
