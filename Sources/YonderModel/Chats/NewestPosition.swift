package import YonderGeodesy

/// The time of a sender's newest position in a chat, as long as it counts.
package struct NewestPosition: Hashable, Sendable {
    /// The position's time.
    package let moment: Timestamp

    private let expires: Timestamp?

    /// That of a message with a position; `nil` for any other.
    package init?(_ message: Message) {
        guard let position = message.position else { return nil }
        moment = position.timestamp
        expires = message.expires
    }

    /// Whether it hasn't expired at `now`.
    package func holds(at now: Timestamp) -> Bool {
        expires.map { $0 > now } ?? true
    }
}
