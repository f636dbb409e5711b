package import YonderGeodesy
package import YonderModel

/// The time of a sender's newest position in a chat, as long as it counts.
///
/// The caches of both stores keep one for each sender, and `ChatRules` decides by it whether a position is late. It is a
/// plain value. It must be of the newest by the position's time, not by arrival (`StoreRule+Locating.swift`).
package struct NewestPosition: Hashable, Sendable {
    /// The position's time.
    package let moment: Timestamp

    private let expires: Timestamp?

    /// The position of a message; `nil` for a message without one.
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
