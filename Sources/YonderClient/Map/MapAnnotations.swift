public import YonderGeodesy
public import YonderModel
public import YonderWire

/// Somebody on the map, at their last position.
public struct MapPin: Hashable, Sendable, Identifiable {
    /// The same for the same person at every position: their user id, or their id in the world.
    public let id: String

    /// Where they are.
    public var coordinate: Coordinate

    /// When their device was there; `nil` in the world, which doesn't say.
    public var time: Timestamp?

    /// Their color's index; ``ParticipantColor`` draws it.
    public var color: Int

    /// What they are called, or `nil`.
    public var name: String?

    /// For their callout, or `nil`.
    public var email: String?

    /// Creates a pin.
    public init(
        id: String,
        coordinate: Coordinate,
        time: Timestamp? = nil,
        color: Int,
        name: String? = nil,
        email: String? = nil
    ) {
        self.id = id
        self.coordinate = coordinate
        self.time = time
        self.color = color
        self.name = name
        self.email = email
    }
}

/// Where somebody has been.
public struct MapLine: Hashable, Sendable, Identifiable {
    /// The id of the person's pin.
    public let id: String

    /// Oldest first; at least one.
    public var points: [Coordinate]

    /// Their color's index; ``ParticipantColor`` draws it.
    public var color: Int

    /// Creates a line.
    public init(id: String, points: [Coordinate], color: Int) {
        self.id = id
        self.points = points
        self.color = color
    }
}

/// What a map shows: a pin per person, with *all* their line and a stop at each of their positions, and places.
public struct MapAnnotations: Hashable, Sendable {
    /// How much of everybody's way is shown.
    public enum Extent: Hashable, Sendable {
        /// The last position of each: *View last location*.
        case last
        /// Every position of each, and the line through them: *View all locations*.
        case all
    }

    /// A pin per person, by ``MapPin/id``.
    public var pins: [String: MapPin] = [:]

    /// A line per person, by ``MapLine/id``.
    public var lines: [String: MapLine] = [:]

    /// A pin per position, by the person's id, a slash and the message's number (`now` if it was not kept).
    public var stops: [String: MapPin] = [:]

    /// Objects, by ``Annotation/id``.
    public var places: [String: PlaceAnnotation] = [:]

    /// Nothing.
    public init() {}

    /// A chat's people at their positions.
    ///
    /// - Parameters:
    ///   - chat: Gives names and colors; who isn't a participant is not shown.
    ///   - locations: Messages; those without a position are passed over. They are shown in the order of ``Recency``.
    ///   - extent: How much of everybody's way.
    public init(_ chat: NamedChat, _ locations: some Sequence<Message>, extent: Extent) {
        let people = Dictionary(chat.chat.participants.map { ($0.user, $0) }) { first, _ in first }
        let placed = locations.compactMap { message in
            message.position.map {
                (Recency(moment: $0.timestamp, number: message.number), message.sender, $0)
            }
        }
        for (recency, sender, position) in placed.sorted(by: { $0.0 < $1.0 }) {
            guard let person = people[sender] else { continue }
            add(position, recency.number, of: person, chat.users[person.user], extent)
        }
    }

    private mutating func add(
        _ position: Position,
        _ number: Int64,
        of person: Participant,
        _ user: User?,
        _ extent: Extent
    ) {
        let id = person.user.description
        let pin = MapPin(
            id: id,
            coordinate: position.coordinate,
            time: position.timestamp,
            color: person.color,
            name: user?.name,
            email: user?.email
        )
        pins[id] = pin
        guard extent == .all else { return }
        lines[id, default: MapLine(id: id, points: [], color: person.color)].points.append(
            position.coordinate
        )
        let stop = id + "/" + (number > 0 ? String(number) : "now")
        stops[stop] = MapPin(
            id: stop,
            coordinate: pin.coordinate,
            time: pin.time,
            color: pin.color,
            name: pin.name,
            email: pin.email
        )
    }

    /// Objects at their places.
    public init(places: some Sequence<PlaceAnnotation>) {
        for place in places { self.places[place.id] = place }
    }

    /// The world's people at their positions; who has not moved yet is not shown.
    public init(world: [String: Coordinate]) {
        for (id, coordinate) in world {
            pins[id] = MapPin(id: id, coordinate: coordinate, color: Self.color(ofStranger: id))
        }
    }

    /// A color index for somebody in the world, who has none: the same on every client.
    static func color(ofStranger id: String) -> Int {
        id.unicodeScalars.reduce(7) { ($0 * 31 + Int($1.value)) % 9_973 } % 36
    }
}
