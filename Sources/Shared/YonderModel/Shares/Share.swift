public import YonderGeodesy

/// Names a share everywhere.
public typealias ShareID = Identifier<Share>

/// A person's running permission to be seen in a chat: from its start to its end, which the server keeps.
///
/// `ShareRules` makes and changes shares, a store keeps them (`ShareTable`), the server sends them with their freshness
/// (`ShownShare`), and a client shows them. A plain value. A share that has ended stays ended. A further property needs a
/// column, its JSON (`Share+JSON.swift`), and its form between nodes; a word of ``Keeping`` or ``Ending`` is stored, and
/// must stay (`StoredWords`).
///
/// Nothing fails here: ``Share/longest`` and the other limits are checked by `ShareRules`, and may change with
/// `Documentation/sharing.md`. A word of another version is kept beside the value that promises less. What an end does with
/// positions is tried by `StoreRule+Shares`, when a share ends by `ShareRollTests` (decision 18).
public struct Share: Hashable, Sendable, Identifiable {
    /// The fate of its positions when it ends.
    public enum Keeping: String, Hashable, Sendable, CaseIterable {
        /// They stay in the chat's log, as long as the chat keeps positions.
        case kept
        /// They can't be read from a second after the end, and are erased.
        case expiring
    }

    /// How a share ended.
    public enum Ending: String, Hashable, Sendable {
        /// Its person stopped it.
        case stopped
        /// Its time was over.
        case expired
        /// Its person arrived.
        case arrived
        /// Its person left the chat.
        case left
        /// The session or token that it was implicit of is good no longer.
        case signedOut

        /// Whether positions that name no share are refused after it until a share is started.
        ///
        /// Whether further positions are refused. `false` after leaving the chat or signing out: the next position then starts an
        /// implicit share.
        package var refusesMore: Bool { self != .left && self != .signedOut }
    }

    /// When and how a share ended.
    public struct End: Hashable, Sendable {
        /// When: the share's own end, also if the server noticed later.
        public let time: Timestamp

        /// How.
        public let ending: Ending

        /// The stored word for ``ending`` if this version doesn't know it, or `nil`.
        package let unknownEnding: String?

        /// Creates an end.
        public init(time: Timestamp, ending: Ending) {
            self.init(time: time, ending: ending, unknown: nil)
        }

        /// Creates an end as a store has it.
        package init(time: Timestamp, ending: Ending, unknown: String?) {
            self.time = time
            self.ending = ending
            unknownEnding = unknown
        }
    }

    /// The share's id.
    public let id: ShareID

    /// The chat whose participants may see its positions.
    public let chat: ChatID

    /// The user whose positions are shared.
    public let user: UserID

    /// When it was started.
    public let started: Timestamp

    /// When it ends by itself, or `nil` if only its person, or an arrival, ends it.
    public var until: Timestamp?

    /// The place at which it ends when the person arrives, or `nil`; removed when the share ends.
    public var arrival: Arrival?

    /// The fate of its positions when it ends.
    public var keeping: Keeping {
        didSet { unknownKeeping = nil }
    }

    /// The stored word for ``keeping`` if this version doesn't know it, or `nil`; assigning ``keeping`` removes the word.
    package var unknownKeeping: String?

    /// Whether the others are sent the battery's state.
    public var showsBattery: Bool

    /// The session or token that an implicit share is of; `nil` for a share that was started.
    public var source: Int64?

    /// The sign-ins that feed it, which stores alone have.
    ///
    /// They are sent to no client and no other node, and an end removes them.
    package var feeders = ShareFeeders()

    /// The number of the chat's last message before its positions; while they are erased, that of the last one looked at.
    public var after: Int64

    /// When and how it ended; `nil` while it runs.
    public var end: End?

    /// Whether the positions of an expiring share that ended are gone from the log.
    public var isErased: Bool

    /// Creates a share as a store has it.
    public init(
        id: ShareID,
        chat: ChatID,
        user: UserID,
        started: Timestamp,
        until: Timestamp? = nil,
        arrival: Arrival? = nil,
        keeping: Keeping = .kept,
        showsBattery: Bool = true,
        source: Int64? = nil,
        after: Int64 = 0,
        end: End? = nil,
        isErased: Bool = false
    ) {
        self.id = id
        self.chat = chat
        self.user = user
        self.started = started
        self.until = until
        self.arrival = arrival
        self.keeping = keeping
        self.showsBattery = showsBattery
        self.source = source
        self.after = after
        self.end = end
        self.isErased = isErased
    }

    /// Whether it began with a position that names no share, and not by a request.
    public var isImplicit: Bool { source != nil }

    /// When it ended or will have ended at `now`; `nil` if it still runs then.
    public func endTime(at now: Timestamp) -> Timestamp? {
        if let end { return end.time }
        return until.flatMap { $0 <= now ? $0 : nil }
    }

    /// Whether it runs at `now`.
    public func isRunning(at now: Timestamp) -> Bool { endTime(at: now) == nil }

    /// Whether its positions may be read at `now`.
    public func isReadable(at now: Timestamp) -> Bool {
        keeping == .kept || isRunning(at: now)
    }

    /// Whether its positions must still be erased: it was expiring and ended.
    public var needsErasing: Bool { end != nil && keeping == .expiring && !isErased }

    /// How many a person may have running in one chat.
    public static let limit = 8

    /// How long after its end a position from before the end is taken.
    public static let grace = Duration.seconds(86_400)

    /// How far ahead an end may be set.
    public static let longest = Duration.seconds(366 * 86_400)
}

/// A place whose reaching ends a share.
public struct Arrival: Hashable, Sendable {
    /// The middle.
    public let coordinate: Coordinate

    /// How near is there, in `10...5_000` meters.
    public let radius: Distance

    /// Creates a place; `nil` if the radius is out of range.
    public init?(coordinate: Coordinate, radius: Distance = Distance.meters(100)) {
        guard (10...5_000).contains(radius.meters) else { return nil }
        self.coordinate = coordinate
        self.radius = radius
    }

    /// How long a person must have been there.
    public static let stay = Duration.seconds(60)

    /// Whether a position, with all of its circle of accuracy, lies inside.
    public func contains(_ coordinate: Coordinate, accuracy: Distance?) -> Bool {
        self.coordinate.distance(to: coordinate).meters + (accuracy?.meters ?? 0) <= radius.meters
    }
}
