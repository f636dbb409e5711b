import YonderClient
import YonderModel

/// The positions of a chat's map, as a live query brings them.
struct Positions: Sendable {
    /// Whether only the newest of each person counts.
    let isLatest: Bool

    /// The stored positions.
    private var stored: [Message] = []

    /// The newest position of each person that isn't stored.
    private var passed: [UserID: Message] = [:]

    init(isLatest: Bool) {
        self.isLatest = isLatest
    }

    /// All positions; a map sorts them.
    var messages: [Message] { stored + passed.values }

    mutating func take(_ update: LiveUpdate<[Message], MessageChange>) {
        switch update {
        case .list(let messages): stored = messages
        case .change(.added(let message)): add(message)
        case .change(.recalled(let message)): remove(message)
        case .change(.passed(let message)): passed[message.sender] = message
        case .change(.trimmed(let number)): stored.removeAll { $0.number < number }
        }
    }

    private mutating func add(_ message: Message) {
        if isLatest { stored.removeAll { $0.sender == message.sender } }
        stored.append(message)
    }

    private mutating func remove(_ message: Message) {
        stored.removeAll { $0.number == message.number }
    }
}
