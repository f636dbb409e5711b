import YonderModel

/// Messages that aren't stored, from nodes that are ahead of this one: each waits for the commits that its node knew.
///
/// `NodeLink` has one behind its mutex. It is a plain value, and nothing fails: beyond the limit, or after its patience,
/// a message is dropped, as nobody keeps it. That it waits for the commits before it must stay: a user who just left
/// would get it (decision 32, `NodesTests`). Both numbers may be changed.
struct EarlyPasses: Sendable {
    private struct Pass: Sendable {
        let published: Published
        let last: Int64
        let until: ContinuousClock.Instant
    }

    /// How many messages wait at most; further ones are dropped.
    private static let limit = 1_024

    /// How long a message waits; then it is dropped.
    private static let patience = Duration.seconds(1)

    private var passes: [Pass] = []

    /// Whether no message waits.
    var isEmpty: Bool { passes.isEmpty }

    /// Adds a message that waits for the number `last` of its chat.
    mutating func append(_ published: Published, behind last: Int64, at now: ContinuousClock.Instant) {
        guard passes.count < Self.limit else { return }
        passes.append(Pass(published: published, last: last, until: now + Self.patience))
    }

    /// Takes all of them, to be looked at outside a lock.
    mutating func takeAll() -> EarlyPasses {
        defer { passes = [] }
        return self
    }

    /// Takes the messages whose commits have passed, and drops those that have waited too long.
    ///
    /// - Parameters:
    ///   - now: The monotonic time.
    ///   - head: Returns the last number of a chat that has passed; `nil` if no subscription waits for the chat.
    /// - Returns: The messages, in the order in which they came.
    mutating func takeReady(at now: ContinuousClock.Instant, head: (ChatID) -> Int64?) -> [Published] {
        var ready: [Published] = []
        passes.removeAll { pass in
            guard head(pass.published.message.chat) ?? .max >= pass.last else { return pass.until <= now }
            ready.append(pass.published)
            return true
        }
        return ready
    }

    /// Puts messages back before those that came meanwhile.
    mutating func putBack(_ earlier: EarlyPasses) {
        passes = earlier.passes + passes
    }
}
