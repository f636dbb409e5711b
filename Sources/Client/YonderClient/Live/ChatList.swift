public import YonderModel
public import YonderWire

/// A change of the caller's list of chats.
public enum ChatChange: Hashable, Sendable {
    /// A chat was added or changed.
    case changed(NamedChat)
    /// The caller left a chat.
    case left(ChatID)
}

/// The list of the caller's chats, kept current.
///
/// `SharingClient.chats()` opens one; `LiveFeed` has it and applies frames. It can't fail: an activity of an unknown chat is
/// passed over. Readers keep the list of before until an answer is complete. The order is the server's, and a chat that
/// arrives late doesn't undo a newer activity; both must stay (`ChatListTests`, the SDK's model).
struct ChatList: LiveList {
    let query = StreamQuery.chats(limit: StreamQuery.chatLimit)
    private(set) var isCurrent = false
    private(set) var snapshot: [NamedChat] = []
    private var isFresh = true

    mutating func reopen() {
        isCurrent = false
        isFresh = true
    }

    mutating func apply(_ frame: ServerFrame) -> LiveStep<ChatChange> {
        switch frame {
        case .chats(_, _, let isCurrent, _, let chats):
            if isFresh { snapshot = [] }
            isFresh = false
            for chat in chats { take(chat) }
            self.isCurrent = isCurrent
            return isCurrent ? .list : .nothing
        case .chat(_, let chat):
            take(chat)
            return step(.changed(chat))
        case .activity(_, let activity):
            guard let index = snapshot.firstIndex(where: { $0.id == activity.chat }) else { return .nothing }
            snapshot[index].apply(activity)
            return step(.changed(snapshot[index]))
        case .chatLeft(_, let chat):
            snapshot.removeAll { $0.id == chat }
            return step(.left(chat))
        default: return .nothing
        }
    }

    private func step(_ change: ChatChange) -> LiveStep<ChatChange> {
        isCurrent ? .changes([change]) : .nothing
    }

    private mutating func take(_ chat: NamedChat) {
        if let index = snapshot.firstIndex(where: { $0.id == chat.id }) {
            // The server may have read the chat before a message whose activity came first.
            let active = max(snapshot[index].chat.active, chat.chat.active)
            snapshot[index] = chat
            snapshot[index].chat.active = active
        } else {
            snapshot.append(chat)
        }
    }
}
