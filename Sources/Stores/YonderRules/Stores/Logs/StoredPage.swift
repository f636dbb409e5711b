package import YonderModel

/// A part of a chat's log, with the chat, the recalled messages and the shares: the answer of a ``CommitLog``.
///
/// `GateRepair` makes published messages of it, as if their frames had arrived, which is why it has all that a frame has.
///
/// It is a plain value, and nothing fails. The messages are of one snapshot; the rest is read after them, and must be at
/// least as new, as the participants of each number are computed from the chat (`NodesTests`).
package struct StoredPage: Hashable, Sendable {
    /// The chat as it is now.
    package let chat: Chat

    /// The messages, oldest first.
    package let messages: [Message]

    /// The messages that the page's recalls took back, as they are now.
    package let recalled: [Message]

    /// The chat's shares that are known.
    package let shares: [Share]

    /// Whether the page has every message that was asked for.
    package let isComplete: Bool

    /// Creates a page.
    package init(
        chat: Chat,
        messages: [Message],
        recalled: [Message],
        shares: [Share],
        isComplete: Bool
    ) {
        self.chat = chat
        self.messages = messages
        self.recalled = recalled
        self.shares = shares
        self.isComplete = isComplete
    }
}

extension Message {
    /// For a `Recall`, the number of the message that it took back: `data` is `{"number":N}`.
    package var recalledNumber: Int64? {
        guard tag == .recall, let data else { return nil }
        let digits = data.bytes.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return Int64(String(decoding: digits, as: UTF8.self))
    }
}
