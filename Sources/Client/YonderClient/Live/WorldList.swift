public import YonderGeodesy
import YonderWire

/// The members of the world.
public struct WorldPeople: Hashable, Sendable {
    /// The caller's own id in the world, which isn't among the ``people``.
    public var you: String?

    /// The other members by id; `nil` for a member without a position yet.
    public var people: [String: Coordinate?] = [:]

    /// The positions of the members that have one, by id.
    public var coordinates: [String: Coordinate] { people.compactMapValues(\.self) }
}

/// A change in the world.
public enum WorldChange: Hashable, Sendable {
    /// A member joined or moved; `nil` before the first position.
    case moved(String, Coordinate?)
    /// A member left.
    case left(String)
}

/// The members of the world, kept current.
///
/// `SharingClient.world()` and `movePin` open one; `LiveFeed` has it and applies frames. It can't fail: a frame of another
/// kind changes nothing. Readers keep the list of before until an answer is complete; that must stay, or the map would empty
/// itself at each reconnect (`SubscriptionsTests`, the SDK's model).
struct WorldList: LiveList {
    let query = StreamQuery.world
    private(set) var isCurrent = false
    private(set) var snapshot = WorldPeople()
    private var isFresh = true

    mutating func reopen() {
        isCurrent = false
        isFresh = true
    }

    mutating func apply(_ frame: ServerFrame) -> LiveStep<WorldChange> {
        switch frame {
        case .world(_, _, let isCurrent, let you, let pins):
            if isFresh { snapshot = WorldPeople() }
            isFresh = false
            snapshot.you = you ?? snapshot.you
            for pin in pins { snapshot.people[pin.pin] = .some(pin.coordinate) }
            self.isCurrent = isCurrent
            return isCurrent ? .list : .nothing
        case .pin(_, let pin):
            guard pin.pin != snapshot.you else { return .nothing }
            snapshot.people[pin.pin] = .some(pin.coordinate)
            return isCurrent ? .changes([.moved(pin.pin, pin.coordinate)]) : .nothing
        case .gone(_, let id):
            snapshot.people[id] = nil
            return isCurrent ? .changes([.left(id)]) : .nothing
        default: return .nothing
        }
    }
}

extension WorldPin {
    fileprivate var coordinate: Coordinate? {
        at.flatMap { Coordinate(latitude: $0.latitude, longitude: $0.longitude) }
    }
}
