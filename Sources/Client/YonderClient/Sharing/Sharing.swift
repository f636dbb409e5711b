public import YonderGeodesy
public import YonderModel
import YonderWire

/// Decides which positions of a device are sent where.
///
/// A plain value without a sensor and a socket; the methods return what to send. A fix is sent to each audience,
/// unless the last one sent to the same audience has the same six-decimal strings. An audience added later gets
/// the last fix at once. While nothing is shared, no source is needed.
///
/// `LocationSharing` and `SharingClient.share(_:with:)` have one each, and send what it returns. It can't fail: a fix without
/// an audience returns nothing. That a resting device doesn't repeat its position must stay, as each is a message to
/// everybody; a heartbeat says that it is alive (`SharingTests`, `PhoneCostTests`). Six decimals are those of the wire.
public struct Sharing: Sendable {
    /// The receivers of a shared position.
    public enum Audience: Hashable, Sendable {
        /// The participants of a chat, where positions are stored as messages.
        case chat(ChatID)
        /// Everyone in the world, without the caller's name.
        case world
    }

    /// A fix to be sent to an audience.
    public struct Delivery: Hashable, Sendable {
        /// The audience.
        public let audience: Audience
        /// The fix.
        public let fix: Position
    }

    /// The audiences with which the position is shared now.
    public private(set) var audiences: Set<Audience> = []

    /// The newest fix since sharing began.
    public private(set) var lastFix: Position?

    private var lastSent: [Audience: WorldPosition] = [:]

    /// Creates a sharing without an audience.
    public init() {}

    /// Creates a sharing that begins with some audiences.
    public init(with audiences: some Sequence<Audience>) {
        self.audiences = Set(audiences)
    }

    /// Whether a source is needed.
    public var isOn: Bool { !audiences.isEmpty }

    /// Begins to share with an audience.
    ///
    /// - Returns: The fixes to send now.
    public mutating func start(with audience: Audience) -> [Delivery] {
        audiences.insert(audience)
        return due([audience])
    }

    /// Ends sharing with an audience.
    public mutating func stop(with audience: Audience) {
        audiences.remove(audience)
        // Who shares again is shown again, wherever that is.
        lastSent[audience] = nil
        if !isOn { lastFix = nil }
    }

    /// Call this with each fix of the source.
    ///
    /// - Returns: The fixes to send now.
    public mutating func take(_ fix: Position) -> [Delivery] {
        guard isOn else { return [] }
        lastFix = fix
        return due(audiences)
    }

    private mutating func due(_ audiences: Set<Audience>) -> [Delivery] {
        guard let lastFix else { return [] }
        let written = WorldPosition(lastFix.coordinate)
        let due = audiences.filter { lastSent[$0] != written }
        for audience in due { lastSent[audience] = written }
        return due.map { Delivery(audience: $0, fix: lastFix) }
    }
}
