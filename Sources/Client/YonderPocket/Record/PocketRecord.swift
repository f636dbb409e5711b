public import YonderGeodesy
public import YonderModel

/// What a phone keeps of its sharing for the next process: the shares to take up, and the person to whom they belong.
///
/// ``PocketRules`` changes it, and has it kept after each change by a ``PocketRecordStore``; a record that is empty is
/// removed. A further property must be read and written in `PocketRecord+Codable.swift`, and missing in the records of
/// before.
public struct PocketRecord: Hashable, Sendable {
    /// The person whose positions this phone sends, or `nil` before the first share.
    public var user: User?

    /// The address of the person's server, or `nil` if the app didn't say at the sign-in.
    public var server: String?

    /// The shares that the person wants, one a chat: a relaunched app takes up these alone.
    public var wanted: [PocketShare] = []

    /// The chats whose shares the person stopped in the notification, until the outbox has the stop.
    public var stopping: Set<ChatID> = []

    /// When the app was last in view.
    public var lastInView: Timestamp

    /// When the notification was last shown, or `nil` if it never was.
    public var lastNotice: Timestamp?

    /// Creates a record without a share.
    public init(lastInView: Timestamp) {
        self.lastInView = lastInView
    }

    /// Whether there is nothing to keep.
    public var isEmpty: Bool { wanted.isEmpty && stopping.isEmpty }
}
