/// The limits of the world, which an operator may change.
///
/// `ServeSettings` makes one, `WorldRoom` of each loop reads it. Values are checked before. Defaults are promised in
/// `Documentation/configuration.md`: change both (`WorldRoomTests`).
package struct WorldSettings: Hashable, Sendable {
    /// The users that may join the world.
    package enum Access: String, Hashable, Sendable, CaseIterable {
        /// Every connection.
        case open
        /// Connections with an account.
        case members
        /// No connection: the world is closed.
        case off
    }

    /// The users that may join the world; *open* by default.
    package var access: Access

    /// How many packets a second one connection may send to the world, in bursts of as many.
    package var packetsPerSecond: Int

    /// How many bytes a packet to the world may have.
    package var packetLimit: Int

    /// How many connections may be in the world at once.
    package var memberLimit: Int

    /// Whether each connection's start and end is logged at `info`; else they are logged at `debug`.
    package var isLogged = false

    /// Creates the settings; each default is the safe one.
    package init(
        access: Access = .open,
        packetsPerSecond: Int = 20,
        packetLimit: Int = 4_096,
        memberLimit: Int = 100_000
    ) {
        self.access = access
        self.packetsPerSecond = packetsPerSecond
        self.packetLimit = packetLimit
        self.memberLimit = memberLimit
    }
}
