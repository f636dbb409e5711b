import YonderModel

/// The colors that nobody in a chat has, lowest first.
///
/// `ChatRules+Participants.swift` takes one for each user who joins. The stored index of those who are in the chat must
/// stay; when all are taken, numbers go on.
struct FreeColors {
    private var taken: Set<Int>
    private var next = 0

    init(in chat: Chat) {
        taken = Set(chat.participants.lazy.filter(\.isPresent).map(\.color))
    }

    mutating func take() -> Int {
        while taken.contains(next) { next += 1 }
        defer { next += 1 }
        return next
    }
}
