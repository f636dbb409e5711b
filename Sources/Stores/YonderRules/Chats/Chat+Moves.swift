package import YonderModel

/// What a stored message did to the chat's participants, for commits that are read again.
extension Chat {
    /// The participants that a `Join`, `Leave` or `Remove` of this chat added or removed, as they are now; none for other messages.
    package func moved(by message: Message) -> [Participant] {
        guard let number = message.number else { return [] }
        switch message.tag {
        // Who starts a one-to-one chat again directly after leaving it goes on with the span that began earlier.
        case .join where isOneToOne, .leave where isOneToOne:
            return participants.filter { $0.user == message.sender }
        case .join: return participants.filter { $0.spans.contains { $0.first == number } }
        case .leave, .remove: return participants.filter { $0.spans.contains { $0.last == number } }
        default: return []
        }
    }
}

extension Participant {
    /// The participant just after a message that added or removed them.
    package func asOf(_ message: Message) -> Participant {
        guard let number = message.number else { return self }
        var past = self
        past.spans = spans.filter { $0.first <= number }.map { span in
            var span = span
            if let last = span.last, last > number { span.last = nil }
            return span
        }
        if message.tag == .leave || message.tag == .remove, !past.spans.isEmpty {
            past.spans[past.spans.count - 1].last = number
        }
        return past
    }
}
