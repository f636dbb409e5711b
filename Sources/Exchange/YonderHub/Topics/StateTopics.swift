/// The topics of one kind of state on one event loop, by the user or chat whose state they show.
///
/// The lists of a loop have one each: chats, contacts, shares, presence. Nothing fails. A topic goes with its last
/// subscriber; one that comes later gets another number, which must stay, or a late frame would be taken for the new
/// one's (`StateTopicsTests`).
final class StateTopics<Key: Hashable> {
    /// The topics with a subscriber.
    private(set) var byKey: [Key: SessionTopic] = [:]

    /// Whether no session subscribes to a state of this kind.
    var isEmpty: Bool { byKey.isEmpty }

    /// The topic of a key, or `nil` if it has no subscriber.
    subscript(key: Key) -> SessionTopic? { byKey[key] }

    /// The topic of a key, created with the next number if there is none.
    func topic(of key: Key, number: @autoclosure () -> Int64) -> SessionTopic {
        if let topic = byKey[key] { return topic }
        let topic = SessionTopic(number: number())
        byKey[key] = topic
        return topic
    }

    /// Removes the topic of a key when it has no subscriber.
    func removeIfEmpty(_ key: Key) {
        if byKey[key]?.subscribers.isEmpty ?? false { byKey[key] = nil }
    }
}
