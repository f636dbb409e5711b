public import YonderGeodesy
public import YonderModel
public import YonderWire

/// A person on the map: at the last position, or, as a stop, at any of them.
///
/// `MapAnnotations` makes these values of a chat's messages and of the world's members, and a map view (`YonderMap`, or an
/// app's own) draws them. Making one never fails. The id must stay the same for the same item, because a map's selection and
/// its views follow ids.
public struct MapPin: Hashable, Sendable, Identifiable {
    /// The pin's identity: of a person the user's id, or a member's id in the world, the same at every position; of a stop
    /// the key that ``MapAnnotations/stops`` has for it.
    public let id: String

    /// The person's position.
    public var coordinate: Coordinate

    /// The time at which the device was there; `nil` in the world, which sends no times.
    public var time: Timestamp?

    /// The person's color in this view, the same as on the page.
    public var color: PersonColor

    /// The person's name, or `nil`.
    public var name: String?

    /// The e-mail address for the pin's callout, or `nil`.
    public var email: String?

    /// Creates a pin.
    public init(
        id: String,
        coordinate: Coordinate,
        time: Timestamp? = nil,
        color: PersonColor,
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

extension MapPin {
    /// Creates the pin of a member of the world, without a name.
    public init(ofStranger id: String, at coordinate: Coordinate) {
        self.init(id: id, coordinate: coordinate, color: PersonColor(ofStranger: id))
    }
}

/// The line through a person's positions.
public struct MapLine: Hashable, Sendable, Identifiable {
    /// The id of the person's pin.
    public let id: String

    /// The positions, oldest first; at least one, of which no line is drawn.
    public var points: [Coordinate]

    /// The person's color in this view, the same as on the page.
    public var color: PersonColor

    /// Creates a line.
    public init(id: String, points: [Coordinate], color: PersonColor) {
        self.id = id
        self.points = points
        self.color = color
    }
}

/// The content of a map: a pin per person; with *all*, also a line and a stop at each position; and objects.
///
/// An app's model makes one anew after each change, from a chat's messages, objects or the world, and passes it to
/// `PeopleMap` or `MapDriver` of `YonderMap`, or to a `MapModel`, which finds out what changed. Making it never fails; its
/// cost grows with the messages.
///
/// No two items may have the same id, also of different kinds: a person's is digits, or a member's in the world, a stop's
/// has a slash behind the digits, an object's begins with `place/`. `MapItem` of `YonderMap` and apps depend on these forms
/// (`MapFixtureTests`).
///
/// What stands in a pin beside its id may change here; views draw it through `MapDrawing` (`MapFixtureTests`).
public struct MapAnnotations: Hashable, Sendable {
    /// How many positions of each person are shown.
    public enum Extent: Hashable, Sendable {
        /// The last position of each person: *View last location*.
        case last
        /// Every position of each person, and the line through them: *View all locations*.
        case all
    }

    /// A pin per person, by ``MapPin/id``.
    public var pins: [String: MapPin] = [:]

    /// A line per person, by ``MapLine/id``.
    public var lines: [String: MapLine] = [:]

    /// A pin per position, also for the last one, by the person's id, a slash and the message's number; with `now` in place
    /// of the number for a message that isn't stored, of which each person has the newest alone.
    public var stops: [String: MapPin] = [:]

    /// Objects, by ``ObjectAnnotation/id``.
    public var objects: [String: ObjectAnnotation] = [:]

    /// Creates an empty map.
    public init() {}

    /// Creates the content for a chat's participants.
    ///
    /// - Parameters:
    ///   - chat: Gives names and colors; positions of users who aren't participants are not shown.
    ///   - locations: Messages; those without a position are passed over. They are shown in the order of ``Recency``.
    ///   - extent: How much of each participant's path is shown.
    public init(_ chat: NamedChat, _ locations: some Sequence<Message>, extent: Extent) {
        let colors = chat.colors
        let placed = locations.compactMap { message in
            message.position.map {
                (Recency(moment: $0.timestamp, number: message.number), message.sender, $0)
            }
        }
        for (recency, sender, position) in placed.sorted(by: { $0.0 < $1.0 }) {
            guard let color = colors[sender] else { continue }
            add(position, recency.number, of: sender, color, chat.users[sender], extent)
        }
    }

    private mutating func add(
        _ position: Position,
        _ number: Int64?,
        of person: UserID,
        _ color: PersonColor,
        _ user: User?,
        _ extent: Extent
    ) {
        let id = person.description
        let pin = MapPin(
            id: id,
            coordinate: position.coordinate,
            time: position.timestamp,
            color: color,
            name: user?.name,
            email: user?.email
        )
        pins[id] = pin
        guard extent == .all else { return }
        lines[id, default: MapLine(id: id, points: [], color: color)].points.append(
            position.coordinate
        )
        let stop = id + "/" + (number.map(String.init) ?? "now")
        stops[stop] = MapPin(
            id: stop,
            coordinate: pin.coordinate,
            time: pin.time,
            color: pin.color,
            name: pin.name,
            email: pin.email
        )
    }

    /// Creates the content for objects.
    public init(objects: some Sequence<ObjectAnnotation>) {
        for object in objects { self.objects[object.id] = object }
    }

    /// Creates the content for the world's members; a member without a position isn't shown.
    public init(world: [String: Coordinate]) {
        for (id, coordinate) in world { pins[id] = MapPin(ofStranger: id, at: coordinate) }
    }
}
