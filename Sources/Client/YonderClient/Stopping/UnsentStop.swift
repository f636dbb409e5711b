public import YonderGeodesy
public import YonderModel

/// A stop of the caller's shares that the server doesn't have yet, as a ``StopStore`` keeps it.
///
/// `Stops` makes one when a person stops, a `StopStore` keeps it across processes, and its frame goes to the server. Nothing
/// is checked. A further member needs a column in `SQLiteOutboxStore`, and a default for stops that are kept already
/// (`SQLiteStopStoreTests`). Both times must stay: the first holds positions back here, the second tells the server what to
/// end (`StopsTests`).
public struct UnsentStop: Hashable, Sendable, Identifiable {
    /// The most stops that wait for the server.
    public static let limit = 1_000

    /// The key under which it is sent.
    public let id: String

    /// The id of the user who stopped, or `nil` until a server has told the client its user's id.
    public var user: UserID?

    /// The chat, or `nil` for every chat.
    public let chat: ChatID?

    /// The share, or `nil` for every share in ``chat``.
    public let share: ShareID?

    /// The time of the tap, by the device's clock: a position recorded later isn't sent.
    public let time: Timestamp

    /// The time of the tap, by the server's clock as far as the client knows it: what began later goes on.
    public let before: Timestamp

    /// Creates a stop as a store has it.
    public init(id: String, user: UserID?, chat: ChatID?, share: ShareID?, time: Timestamp, before: Timestamp)
    {
        self.id = id
        self.user = user
        self.chat = chat
        self.share = share
        self.time = time
        self.before = before
    }
}

/// A stop that the server doesn't have yet, for the app to show.
public struct WaitingStop: Hashable, Sendable {
    /// The stop.
    public let stop: UnsentStop

    /// Whether the stop is on disk, so that it is sent even if the process ends first.
    ///
    /// `false` until it is written, for good if the outbox is no ``StopStore``, and until the next ``SharingClient/run()`` if the
    /// store failed. Such a stop is sent as long as the process lives: an app should say so before it is closed.
    public let outlivesProcess: Bool
}
