public import YonderGeodesy

/// What a person asks for who starts a share.
public struct ShareWish: Hashable, Sendable {
    /// When it ends by itself, or `nil`.
    public let until: Timestamp?

    /// Where it ends by itself, or `nil`.
    public let arrival: Arrival?

    /// What becomes of its positions.
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

/// What a person changes of a running share; what is `nil` stays.
public struct ShareEdit: Hashable, Sendable {
    /// A new end; `.some(nil)` for none.
    public let until: Timestamp??

    /// What becomes of its positions, those that were sent included.
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
