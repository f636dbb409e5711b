public import YonderGeodesy
public import YonderModel
import YonderWire

/// Decides which positions of a device are sent where.
///
/// A plain value without a sensor and a socket; the methods return what to send. A fix is sent to each place,
/// unless the last one sent to the same place has the same six-decimal strings. A place added later gets the
/// last fix at once. While nothing is shared, no source is needed.
public struct Sharing: Sendable {
    /// A place in which a position can be shared.
    public enum Place: Hashable, Sendable {
        /// A chat, in which positions are stored as messages.
        case chat(ChatID)
        /// The world, anonymously.
        case world
    }

    /// A fix to be sent to a place.
    public struct Delivery: Hashable, Sendable {
        /// The place.
        public let place: Place
        /// The fix.
        public let fix: Position
    }

    /// The places in which the position is shared now.
    public private(set) var places: Set<Place> = []

    /// The newest fix since sharing began.
    public private(set) var lastFix: Position?

    private var lastSent: [Place: WorldPosition] = [:]

    /// Creates a sharing without places.
    public init() {}

    /// Creates a sharing that begins with some places.
    public init(in places: some Sequence<Place>) {
        self.places = Set(places)
    }

    /// Whether a source is needed.
    public var isOn: Bool { !places.isEmpty }

    /// Begins to share in a place.
    ///
    /// - Returns: The fixes to send now.
    public mutating func start(_ place: Place) -> [Delivery] {
        places.insert(place)
        return due([place])
    }

    /// Ends sharing in a place.
    public mutating func stop(_ place: Place) {
        places.remove(place)
        // After leaving the world, a return is a new member without a position.
        if place == .world { lastSent[place] = nil }
        if !isOn { lastFix = nil }
    }

    /// Call this with each fix of the source.
    ///
    /// - Returns: The fixes to send now.
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
