public import YonderGeodesy

/// A request to start a share.
///
/// A client sends one over the stream or REST (`ClientFrame+Shares.swift`, `ShareEndpoints`); `ShareRules` checks it, and
/// refuses an end that is past, or more than 366 days ahead, with `invalidField`. Nothing is checked here. A further member
/// needs its name in those readers and in `Submission+Fingerprint`, by which a repeated request is recognized
/// (`Documentation/sharing.md`, `StoreRule+Shares`).
public struct ShareWish: Hashable, Sendable {
    /// The time at which it ends, or `nil`.
    public let until: Timestamp?

    /// The place at which it ends when the person arrives, or `nil`.
    public let arrival: Arrival?

    /// The fate of its positions when it ends.
    public let keeping: Share.Keeping

    /// Whether the others are sent the battery's state; `nil` for the default, yes in chats of at most
    /// ``ShareRules/batteryLimit`` people.
    public let showsBattery: Bool?

    /// Creates a wish.
    public init(
        until: Timestamp? = nil,
        arrival: Arrival? = nil,
        keeping: Share.Keeping = .kept,
        showsBattery: Bool? = nil
    ) {
        self.until = until
        self.arrival = arrival
        self.keeping = keeping
        self.showsBattery = showsBattery
    }
}

/// A request to change a running share; a `nil` member is unchanged.
public struct ShareEdit: Hashable, Sendable {
    /// A new end; `.some(nil)` for none.
    public let until: Timestamp??

    /// The fate of its positions when it ends, including those already sent.
    public let keeping: Share.Keeping?

    /// Whether the others are sent the battery's state.
    public let showsBattery: Bool?

    /// Creates a change.
    public init(until: Timestamp?? = nil, keeping: Share.Keeping? = nil, showsBattery: Bool? = nil) {
        self.until = until
        self.keeping = keeping
        self.showsBattery = showsBattery
    }
}
