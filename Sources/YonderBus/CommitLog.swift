package import YonderModel

/// A store that several threads or nodes write to: reads the messages of commits that this node wasn't told of, or not in time.
package protocol CommitLog: Sendable {
    /// Messages of a chat as they are stored now, for any reader.
    ///
    /// - Parameters:
    ///   - chat: The chat.
    ///   - number: The number behind which the page begins.
    ///   - limit: The number before which it ends, or `nil` for the chat's last.
    ///   - count: How many at most.
    /// - Returns: The page.
    /// - Throws: `unknownChat`, `unavailable`.
    func stored(
        in chat: ChatID,
        after number: Int64,
        below limit: Int64?,
        count: Int
    ) async throws(SharingError) -> StoredPage

    /// The numbers of the last messages of chats, without those that don't exist.
    ///
    /// - Throws: `unavailable`.
    func lasts(of chats: [ChatID]) async throws(SharingError) -> [ChatID: Int64]
}

/// A part of a chat's log, with the chat, the recalled messages and the shares.
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

    /// The messages as their commits would have published them.
    ///
    /// Roles of participants and ends of shares aren't in the log: they are as of the read, where a commit has those of its time.
    package var published: [Published] {
        messages.map { message in
            let moved = moved(by: message)
            return Published(
                Submission.Acceptance(
                    message: message,
                    isRepeat: false,
                    recalled: message.recalledNumber.flatMap { number in
                        recalled.first { $0.number == number }
                    },
                    moved: moved,
                    written: chat.written,
                    shares: message.tag == .location ? [] : shares
                )
            )
        }
    }

    /// The participants that a `Join`, `Leave` or `Remove` added to the chat or removed from it; none for other messages.
    private func moved(by message: Message) -> [Participant] {
        switch message.tag {
        case .join:
            chat.participants.filter { $0.spans.contains { $0.first == message.number } }
                .map { $0.asOf(message.number) }
        case .leave, .remove:
            chat.participants.filter { $0.spans.contains { $0.last == message.number } }
                .map { $0.asOf(message.number) }
        default: []
        }
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

extension Participant {
    /// The participant as they were just after the message of a number.
    fileprivate func asOf(_ number: Int64) -> Participant {
        var past = self
        past.spans = spans.filter { $0.first <= number }.map { span in
            var span = span
            if let last = span.last, last > number { span.last = nil }
            return span
        }
        return past
    }
}
