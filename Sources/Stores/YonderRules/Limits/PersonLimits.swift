/// How often one person may do what reaches other people or costs the server much, over all connections and REST together.
///
/// Each limit is higher than a person needs, so that only a faulty or hostile program reaches it. A limit of 0 is none.
///
/// `ServeSettings` makes one, ``PersonLedger`` counts by it, on one server or all of a database. The names of the
/// settings and the defaults are promised in `Documentation/configuration.md`: change both (decision 37,
/// `PersonLimitTests`). A further limit needs a case of `PersonLedger.Use`.
package struct PersonLimits: Hashable, Sendable {
    /// The chats that a person makes in a day (UTC).
    package var chatsPerDay: Int

    /// The new chats in a day (UTC) into which a person puts the same other one, by starting the chat or by adding them.
    package var chatsPerDayWithOne: Int

    /// The groups that a person owns and in which the same other one is, for this person to put them into a further one.
    package var ownedWithOne: Int

    /// The changes of a person's own name in an hour, and as many of each other part of their profile.
    package var renamesPerHour: Int

    /// The blocks and their ends in an hour.
    package var blocksPerHour: Int

    /// The invitations that a person makes in an hour.
    package var invitationsPerHour: Int

    /// The tokens that a person makes in an hour.
    package var tokensPerHour: Int

    /// The heartbeats of one share in an hour.
    package var heartbeatsPerHour: Int

    /// The positions from which the answers of `tracks` are made, in a minute.
    package var trackPositionsPerMinute: Int

    /// Creates the limits; each default is the safe one.
    package init(
        chatsPerDay: Int = 200,
        chatsPerDayWithOne: Int = 10,
        ownedWithOne: Int = 100,
        renamesPerHour: Int = 10,
        blocksPerHour: Int = 60,
        invitationsPerHour: Int = 50,
        tokensPerHour: Int = 60,
        heartbeatsPerHour: Int = 600,
        trackPositionsPerMinute: Int = 400_000
    ) {
        self.chatsPerDay = chatsPerDay
        self.chatsPerDayWithOne = chatsPerDayWithOne
        self.ownedWithOne = ownedWithOne
        self.renamesPerHour = renamesPerHour
        self.blocksPerHour = blocksPerHour
        self.invitationsPerHour = invitationsPerHour
        self.tokensPerHour = tokensPerHour
        self.heartbeatsPerHour = heartbeatsPerHour
        self.trackPositionsPerMinute = trackPositionsPerMinute
    }

    /// No limits, for load generators and for tests of other features.
    package static let none = PersonLimits(
        chatsPerDay: 0,
        chatsPerDayWithOne: 0,
        ownedWithOne: 0,
        renamesPerHour: 0,
        blocksPerHour: 0,
        invitationsPerHour: 0,
        tokensPerHour: 0,
        heartbeatsPerHour: 0,
        trackPositionsPerMinute: 0
    )
}
