public import YonderGeodesy

/// How fresh a share's position is: a state, its cause, and the states that follow if no report comes.
///
/// `ShareReports` of the server computes it, `ShareRoll` sends it to viewers when it changes, and an app shows it
/// (`PersonState`); between two frames the app follows ``changes`` by ``state(at:)``. Nothing fails. After what time a share
/// is slow, stale or offline is decided in `ShareReports` (decision 18, `FreshnessTests`).
///
/// Raw values of ``State`` and ``Cause-swift.struct`` are the wire's and must stay (`Documentation/sharing.md`). A further
/// cause may be added; a further state would be read as `stale` by older clients.
public struct Freshness: Hashable, Sendable {
    /// The words.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// The position is of now.
        case live
        /// Reports come rarely, or the phone is reached without a position.
        case slow
        /// No report came for a while.
        case stale
        /// No report came for long.
        case offline
        /// The person paused.
        case paused
        /// The share is over.
        case ended
    }

    /// Why; open-ended, so that a newer server's survives an older client.
    public struct Cause: Hashable, Sendable {
        /// The value in JSON.
        public let rawValue: String

        /// Creates a cause from its value in JSON, which may be unknown to this version.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        /// The phone is reached, but its position is missing or old.
        public static let noFix = Self("noFix")
        /// The phone reports rarely: see ``Freshness/gap``.
        public static let interval = Self("interval")
        /// Its battery was nearly empty, and it wasn't charging.
        public static let battery = Self("battery")
        /// No report came, for an unknown reason.
        public static let silent = Self("silent")
        /// The person paused.
        public static let paused = Self("paused")
        /// The person stopped the share, or left the chat.
        public static let stopped = Self("stopped")
        /// The share's time was over.
        public static let expired = Self("expired")
        /// The person arrived.
        public static let arrived = Self("arrived")
    }

    /// A state that follows if no report comes.
    public struct Change: Hashable, Sendable {
        /// When the state begins.
        public let time: Timestamp

        /// The state from then on.
        public let state: State

        /// Creates a change.
        public init(time: Timestamp, state: State) {
            self.time = time
            self.state = state
        }
    }

    /// The state at the moment for which the freshness was computed.
    public let state: State

    /// The cause, or `nil` if the state needs none.
    public let cause: Cause?

    /// When the newest report came; for `ended`, when the share ended.
    public let asOf: Timestamp

    /// Since when the person stands still, or `nil` if they move or it isn't known.
    public let since: Timestamp?

    /// How long the pauses between reports are, or `nil` before there were two.
    public let gap: Duration?

    /// The battery's charge in `0...1`, or `nil` if it isn't shown or known.
    public let battery: Double?

    /// Whether it charges, or `nil` if that isn't shown or known.
    public let isCharging: Bool?

    /// The states that follow if no report comes, the next first.
    public let changes: [Change]

    /// Creates a freshness.
    public init(
        state: State,
        cause: Cause? = nil,
        asOf: Timestamp,
        since: Timestamp? = nil,
        gap: Duration? = nil,
        battery: Double? = nil,
        isCharging: Bool? = nil,
        changes: [Change] = []
    ) {
        self.state = state
        self.cause = cause
        self.asOf = asOf
        self.since = since
        self.gap = gap
        self.battery = battery
        self.isCharging = isCharging
        self.changes = changes
    }

    /// After the end nothing but the end.
    public init(ended end: Share.End) {
        let cause: Cause =
            switch end.ending {
            case .stopped, .left, .signedOut: .stopped
            case .expired: .expired
            case .arrived: .arrived
            }
        self.init(state: .ended, cause: cause, asOf: end.time)
    }

    /// The state at a later moment, if no report comes until then.
    public func state(at now: Timestamp) -> State {
        changes.last { $0.time <= now }?.state ?? state
    }
}
