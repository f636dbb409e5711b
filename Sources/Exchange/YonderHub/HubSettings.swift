package import YonderRules
import YonderModel
package import YonderWorld

/// The exchange's limits, which an operator may change.
///
/// `ServeSettings` makes one, `Exchange` and each `HubLoop` read it once. Values are checked before. Defaults are
/// promised in `Documentation/configuration.md` and `stream.md`, which tells clients some of them: change all
/// (`ExchangeTests`). A further limit needs a name in `ServeSettings`.
///
/// Names of properties may be changed, names of settings not.
package struct HubSettings: Hashable, Sendable {
    /// The limits of the world.
    package var world: WorldSettings

    /// How many bytes a frame on the stream may have.
    package var frameLimit: Int

    /// How many subscriptions a session may have.
    package var subscriptionLimit: Int

    /// How many sends of a session may wait for their commit.
    package var inFlightLimit: Int

    /// How many store reads one event loop has under way at once.
    package var readLimit: Int

    /// How many store reads of a session may be queued or under way; nothing more is received from a session that has as
    /// many.
    package var pendingReadLimit: Int

    /// How many moves of its live regions a session is answered a second, in bursts of as many; of more, the newest.
    package var regionMovesPerSecond: Int

    /// How much one person may write.
    package var writes: WriteLimits

    /// How often one person may do what reaches other people.
    package var people: PersonLimits

    /// The version of the web page that the greeting names, or `nil` if there is no page.
    package var page: String?

    /// Creates the settings; each default is the safe one.
    package init(
        world: WorldSettings = WorldSettings(),
        frameLimit: Int = 98_304,
        subscriptionLimit: Int = 256,
        inFlightLimit: Int = 1_024,
        readLimit: Int = 64,
        pendingReadLimit: Int = 32,
        regionMovesPerSecond: Int = 30,
        writes: WriteLimits = WriteLimits(),
        people: PersonLimits = PersonLimits(),
        page: String? = nil
    ) {
        self.world = world
        self.frameLimit = frameLimit
        self.subscriptionLimit = subscriptionLimit
        self.inFlightLimit = inFlightLimit
        self.readLimit = readLimit
        self.pendingReadLimit = pendingReadLimit
        self.regionMovesPerSecond = regionMovesPerSecond
        self.writes = writes
        self.people = people
        self.page = page
    }
}
