import YonderBus
import YonderGeodesy
import YonderModel

/// The activity in chats since the last round, merged so that each chat list gets one change for each chat.
///
/// `ChatLists` has one for an event loop, notes commits and read marks, and takes all of it at the end of a round. It is
/// a plain value, and nothing fails. The merged change must be what the single ones would have made in their order: the
/// newest message, the count and the read position only grow (decision 20, `ChatListsTests`).
struct ActivityTable {
    /// The activity in one chat.
    struct Entry {
        var written: Int64?
        var active: Timestamp?
        var preview: MessagePreview?
        var reads: [UserID: ReadMark.Outcome] = [:]

        /// Whether a written message was taken back, so that the preview must be looked for.
        var losesPreview = false

        /// The change for one participant's chat list.
        ///
        /// - Parameters:
        ///   - chat: The chat.
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

    /// Adds a message of a chat; returns `false` if chat lists don't show it.
    mutating func note(_ published: Published) -> Bool {
        let message = published.message
        let losesPreview = published.recalled?.tag.isWritten ?? false
        guard message.isKept, message.tag.isActivity || losesPreview else { return false }
        var entry = entries[message.chat] ?? Entry()
        entry.written = published.written
        if message.tag.isActivity { entry.active = max(entry.active ?? message.time, message.time) }
        if let preview = MessagePreview(message) { entry.preview = preview }
        entry.losesPreview = entry.losesPreview || losesPreview
        entries[message.chat] = entry
        return true
    }

    /// Moves a reader's read position forward.
    mutating func note(_ mark: ReadMark, _ outcome: ReadMark.Outcome) {
        // Nodes' frames come in any order.
        let known = entries[mark.chat]?.reads[mark.reader]?.position.number ?? .min
        guard outcome.position.number >= known else { return }
        entries[mark.chat, default: Entry()].reads[mark.reader] = outcome
    }

    /// Removes and returns the activity in one chat.
    mutating func take(_ chat: ChatID) -> Entry? {
        entries.removeValue(forKey: chat)
    }

    /// Removes and returns the activity in all chats.
    mutating func takeAll() -> [ChatID: Entry] {
        defer { entries.removeAll(keepingCapacity: true) }
        return entries
    }
}

extension ChatActivity {
    /// Merges a later change of the same chat.
    mutating func merge(_ later: ChatActivity) {
        written = later.written ?? written
        active = later.active.map { max($0, active ?? $0) } ?? active
        preview = later.preview ?? preview
        // A read position never goes back.
        if let more = later.read, more.number >= read?.number ?? .min { read = more }
        reads.merge(later.reads, uniquingKeysWith: max)
    }
}
