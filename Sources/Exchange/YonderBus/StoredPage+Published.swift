import YonderModel
package import YonderRules

// What a page that was read from the store would have been as a commit. Participants must be as of each message's number, not as
// they are now, or someone would get messages of before they joined (decision 32).

extension StoredPage {
    /// The messages as their commits would have published them.
    ///
    /// Roles of participants and ends of shares aren't in the log: they are as of the read, where a commit has those of
    /// its time.
    package var published: [Published] {
        messages.map { message in
            let moved = chat.moved(by: message).map { $0.asOf(message) }
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
}
