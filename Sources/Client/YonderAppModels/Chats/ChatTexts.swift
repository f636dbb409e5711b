import YonderModel
import YonderWire

// Names of chats, as `Web/app/chats/chat-name.js` makes them. `ChatsModel`, `SharingModel` and the chat's models make their
// texts with these functions, pure ones of a chat and a person. They can't fail: without names they are empty, and come with
// the next change. Rules must be the page's, so that a chat has one name everywhere (`ChatsModelTests`); words are in `Word`.
// Another person's name is isolated.
extension AppContext {
    /// What a chat is called: its subject, or else the names of the other participants; empty while a name is unknown.
    func name(of chat: NamedChat, for own: UserID) -> String {
        if !chat.chat.subject.isEmpty, !chat.chat.isOneToOne { return chat.chat.subject }
        let names = chat.others(than: own).map { chat.users[$0.user]?.name ?? "" }
        if names.contains("") { return "" }
        switch names.count {
        case 0: return chat.chat.subject.isEmpty ? say(.chatsOnlyYou) : chat.chat.subject
        case 1: return names[0]
        case 2, 3: return names.map(\.isolated).joined(separator: ", ")
        default:
            let first = names.prefix(2).map(\.isolated).joined(separator: ", ")
            return say(.chatsAndMore, ["names": first, "more": number(names.count - 2)])
        }
    }

    /// Who is in a chat, in words.
    func summary(of chat: NamedChat) -> String {
        let present = chat.chat.participants.count(where: \.isPresent)
        if chat.chat.isOneToOne { return say(present == 2 ? .chatsTwoOfYou : .chatsTheyLeft) }
        return present == 1 ? say(.chatsOnlyYou) : say(.chatsPeople, count: present)
    }

    /// The newest written message of a chat in one line; in a chat without one, the names of the participants.
    func preview(of chat: NamedChat, for own: UserID) -> String {
        guard let preview = chat.view?.preview else { return summary(of: chat) }
        let text = text(of: preview)
        if preview.sender == own { return say(.messagesYouWrote, ["text": text]) }
        guard let name = chat.users[preview.sender]?.name, !chat.chat.isOneToOne else { return text }
        let first = name.split(separator: " ").first.map(String.init) ?? name
        return say(.messagesWrote, ["name": first, "text": text])
    }

    private func text(of preview: MessagePreview) -> String {
        let line = preview.content.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if !line.isEmpty { return line }
        switch preview.tag.rawValue {
        case "Place": return say(.messagesPlace)
        case "Photo": return say(.messagesPhoto)
        default: return say(.messagesExpired)
        }
    }
}

extension NamedChat {
    /// The other present participants; in a chat without any, the former ones.
    func others(than own: UserID) -> [Participant] {
        let others = chat.participants.filter { $0.user != own }
        let present = others.filter(\.isPresent)
        return present.isEmpty ? others : present
    }

    /// How many written messages a participant hasn't read.
    func unread(for own: UserID) -> Int {
        guard let view else { return 0 }
        let isOwn = view.preview?.sender == own
        return max(0, Int(chat.written - view.read.written) - (isOwn ? 1 : 0))
    }
}
