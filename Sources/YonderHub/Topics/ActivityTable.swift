import YonderGeodesy
import YonderModel

/// What happened in chats since the last round, for those whose lists show them: joined, so that each list gets one
/// change a chat.
struct ActivityTable {
    /// What happened in one chat.
    struct Entry {
        var written: Int64?
        var active: Timestamp?
        var preview: MessagePreview?
        var reads: [UserID: ReadMark.Outcome] = [:]

        /// Whether a written message was taken back, so that the preview must be looked for.
        var losesPreview = false

        /// What one participant's list gets of it.
        ///
        /// - Parameters:
        ///   - chat: Which chat.
        ///   - user: The participant.
        ///   - isMutual: Whether they may know how far the others have read.
        /// - Returns: The change, or `nil` if there is none for them.
        func change(in chat: ChatID, for user: UserID, isMutual: Bool) -> ChatActivity? {
            var change = ChatActivity(chat: chat, written: written, active: active)
            if let preview { change.preview = .some(preview) }
            change.read = reads[user]?.position
            if isMutual {
                for (other, outcome) in reads where other != user && outcome.isShown {
                    change.reads[other] = outcome.position.number
                }
            }
            return change == ChatActivity(chat: chat) ? nil : change
        }
    }

    private var entries: [ChatID: Entry] = [:]

    /// Notes a message of a chat; `false` if it is none that lists show.
    mutating func note(_ published: Published) -> Bool {
        let message = published.message
        let losesPreview = published.recalled?.tag.isWritten ?? false
        guard published.isKept, message.tag.isActivity || losesPreview else { return false }
        var entry = entries[message.chat] ?? Entry()
        entry.written = published.written
        if message.tag.isActivity { entry.active = message.time }
        if let preview = MessagePreview(message) { entry.preview = preview }
        entry.losesPreview = entry.losesPreview || losesPreview
        entries[message.chat] = entry
        return true
    }

    /// Moves a reader's read position forward.
    mutating func note(_ mark: ReadMark, _ outcome: ReadMark.Outcome) {
        entries[mark.chat, default: Entry()].reads[mark.reader] = outcome
    }

    /// Takes what happened in one chat.
    mutating func take(_ chat: ChatID) -> Entry? {
        entries.removeValue(forKey: chat)
    }

    /// Takes what happened everywhere.
    mutating func takeAll() -> [ChatID: Entry] {
        defer { entries.removeAll(keepingCapacity: true) }
        return entries
    }
}

extension ChatActivity {
    /// Takes in a later change of the same chat.
    mutating func merge(_ later: ChatActivity) {
        written = later.written ?? written
        active = later.active ?? active
        preview = later.preview ?? preview
        read = later.read ?? read
        reads.merge(later.reads) { $1 }
    }
}
