import YonderClient
import YonderModel

/// The last position of each person in a chat, as a live query brings it.
///
/// `ChatMapModel` has one and passes it each update of the live query. It can't fail: a recall of an unknown message changes
/// nothing. A recalled position must leave at once (`ChatMapModelTests`).
struct LastPositions: Sendable {
    /// The newest stored position of each person.
    private var stored: [Message] = []

    /// The newest position of each person that isn't stored.
    private var passed: [UserID: Message] = [:]

    /// All positions; a map sorts them.
    var messages: [Message] { stored + passed.values }

    mutating func take(_ update: LiveUpdate<[Message], MessageChange>) {
        switch update {
        case .list(let messages): stored = messages
        case .change(.added(let message)):
            stored.removeAll { $0.sender == message.sender }
            stored.append(message)
        case .change(.recalled(let message)): stored.removeAll { $0.number == message.number }
        case .change(.passed(let message)): passed[message.sender] = message
        case .change(.trimmed(let number)): stored.removeAll { $0.isBefore(number) }
        }
    }
}
