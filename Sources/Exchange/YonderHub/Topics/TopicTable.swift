import YonderModel

/// The message topics of one event loop, one for each distinct query that is subscribed to, and the numbers of all topics.
///
/// `HubLoop` has one. It is a plain value, and nothing fails. A number is never used again while the loop lives: clients
/// know a topic by it, and a late frame must not reach another (`Documentation/stream.md`). ``worldNumber`` is every
/// loop's.
struct TopicTable {
    /// The number of the world's topic, which always exists.
    static let worldNumber: Int64 = 1

    private var nextNumber = worldNumber + 1
    private var byFilter: [MessageFilter: MessageTopic] = [:]
    private var byChat: [ChatID: [MessageTopic]] = [:]

    /// The topics of a chat's messages.
    @inline(__always)
    func messageTopics(of chat: ChatID) -> [MessageTopic] {
        byChat[chat] ?? []
    }

    /// The chats with a topic.
    var chats: some Sequence<ChatID> { byChat.keys }

    /// The topic of a query, created if there is none.
    mutating func messages(_ filter: MessageFilter) -> MessageTopic {
        if let topic = byFilter[filter] { return topic }
        let topic = MessageTopic(number: draw(), filter: filter)
        byFilter[filter] = topic
        byChat[filter.chat, default: []].append(topic)
        return topic
    }

    /// Removes a topic without subscriptions.
    mutating func removeIfEmpty(_ topic: MessageTopic) {
        guard topic.isEmpty, byFilter[topic.filter] === topic else { return }
        byFilter[topic.filter] = nil
        let chat = topic.filter.chat
        byChat[chat]?.removeAll { $0 === topic }
        if byChat[chat]?.isEmpty ?? false { byChat[chat] = nil }
    }

    /// Gives the next number.
    mutating func draw() -> Int64 {
        defer { nextNumber += 1 }
        return nextNumber
    }
}
