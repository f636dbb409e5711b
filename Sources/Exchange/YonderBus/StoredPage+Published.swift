import YonderModel
package import YonderRules

// What a page that was read from the store would have been as a commit: for `GateRepair`, whose messages then pass the
// gate like all others. Nothing fails. Participants must be as of each message's number, not as they are now, or someone
// would get messages of before they joined (decision 32, `ChatGatesTests`).

extension StoredPage {
    /// The messages as their commits would have published them.
    ///
    /// Roles of participants and ends of shares aren't in the log: they are as of the read, where a commit has those of
    /// its time.
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
        guard let number = message.number else { return [] }
        return switch message.tag {
        case .join:
            chat.participants.filter { $0.spans.contains { $0.first == number } }
                .map { $0.asOf(number) }
        case .leave, .remove:
            chat.participants.filter { $0.spans.contains { $0.last == number } }
                .map { $0.asOf(number) }
        default: []
        }
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
