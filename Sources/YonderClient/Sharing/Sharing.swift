public import YonderGeodesy
public import YonderModel
import YonderWire

/// Where a device's position goes.
///
/// Says what to send; no sensor and no socket inside. A fix goes to every place shared in, but not where the last one sent *there* has the same six-decimal strings; a place
/// shared in later gets the last fix at once; when nothing is shared, the source rests.
public struct Sharing: Sendable {
    /// Where a position can be shared.
    public enum Place: Hashable, Sendable {
        /// In a chat, kept as messages.
        case chat(ChatID)
        /// In the world, anonymously.
        case world
    }

    /// A fix on its way to a place.
    public struct Delivery: Hashable, Sendable {
        /// Where it goes.
        public let place: Place
        /// What goes there.
        public let fix: Position
    }

    /// Where the position is shared now.
    public private(set) var places: Set<Place> = []

    /// The newest fix since something is shared.
    public private(set) var lastFix: Position?

    private var lastSent: [Place: WorldPosition] = [:]

    /// Shares nothing yet.
    public init() {}

    /// Shares in some places from the beginning.
    public init(in places: some Sequence<Place>) {
        self.places = Set(places)
    }

    /// Whether a source is needed.
    public var isOn: Bool { !places.isEmpty }

    /// Begins to share in a place.
    ///
    /// - Returns: What to send now.
    public mutating func start(_ place: Place) -> [Delivery] {
        places.insert(place)
        return due([place])
    }

    /// Ends sharing in a place.
    public mutating func stop(_ place: Place) {
        places.remove(place)
        // Who leaves the world is nobody there; who comes back is somebody new.
        if place == .world { lastSent[place] = nil }
        if !isOn { lastFix = nil }
    }

    /// Takes a fix from the source.
    ///
    /// - Returns: What to send now.
    public mutating func take(_ fix: Position) -> [Delivery] {
        guard isOn else { return [] }
        lastFix = fix
        return due(places)
    }

    private mutating func due(_ places: Set<Place>) -> [Delivery] {
        guard let lastFix else { return [] }
        let written = WorldPosition(lastFix.coordinate)
        let due = places.filter { lastSent[$0] != written }
        for place in due { lastSent[place] = written }
        return due.map { Delivery(place: $0, fix: lastFix) }
    }
}
