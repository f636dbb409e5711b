import YonderModel

/// How much one user may write, over all connections and REST together.
///
/// Each limit is higher than a person can type, so that only a faulty or hostile program reaches it.
package struct WriteLimits: Hashable, Sendable {
    /// Messages, and everything else that becomes a message of a chat; `nil` for no limit.
    package var messages: RateLimit?

    /// Bytes of messages' text and data; `nil` for no limit.
    package var bytes: RateLimit?

    /// Objects and entities made, changed or deleted one by one; `nil` for no limit.
    package var objects: RateLimit?

    /// The number of object files that a user may import at once: 1 or more.
    package var imports: Int

    /// Creates the limits; each default is the safe one.
    ///
    /// - Precondition: `imports >= 1`.
    package init(
        messages: RateLimit? = RateLimit(burst: 10_000, perSecond: 100),
        bytes: RateLimit? = RateLimit(burst: 64 << 20, perSecond: 1 << 20),
        objects: RateLimit? = RateLimit(burst: 10_000, perSecond: 100),
        imports: Int = 2
    ) {
        precondition(imports >= 1, "At least one import at once.")
        self.messages = messages
        self.bytes = bytes
        self.objects = objects
        self.imports = imports
    }

    /// No limits, for load generators and for tests of other features.
    package static let none = WriteLimits(messages: nil, bytes: nil, objects: nil, imports: .max)
}
