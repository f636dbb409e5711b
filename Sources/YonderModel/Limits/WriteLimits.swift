/// How much one person may write, over all their connections and over REST together.
///
/// Each limit is above what a person can mean to write, so that only a program that went wrong, or is meant to harm, meets it.
public struct WriteLimits: Hashable, Sendable {
    /// Messages, and whatever else becomes a message of a chat; `nil` for no limit.
    public var messages: RateLimit?

    /// Bytes of messages' text and data; `nil` for no limit.
    public var bytes: RateLimit?

    /// Objects and entities made, changed or deleted one by one; `nil` for no limit.
    public var objects: RateLimit?

    /// How many files of objects a person may import at once: 1 or more.
    public var imports: Int

    /// Creates the limits; each default is the safe one.
    ///
    /// - Precondition: `imports >= 1`.
    public init(
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

    /// No limits, for load generators and tests of something else.
    public static let none = WriteLimits(messages: nil, bytes: nil, objects: nil, imports: .max)
}
