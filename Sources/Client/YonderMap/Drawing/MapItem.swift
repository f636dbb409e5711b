public import YonderClient
import YonderGeodesy
import YonderModel

/// The value behind an item of a map, which a tap on the item's callout reaches.
///
/// `MapDrawing` makes one of each item of `MapAnnotations`; `PeopleMap` and `MapDriver` pass it to the app's `onOpen`.
/// Nothing fails. Ids and cases are public and apps switch over them (`make check-api`, `MapFixtureTests` for ids). Letters
/// and the objects' color are those of the page (`MapDrawingTests`).
public enum MapItem: Hashable, Sendable, Identifiable {
    /// A person at the last position; the pin's id is the user's id, or a member's id in the world.
    case person(MapPin)
    /// One of a person's positions, also the last one; the pin's id is the key in `MapAnnotations.stops`: the user's id, a
    /// slash, and the message's number or `now`.
    case stop(MapPin)
    /// An object, with its fields in the annotation's `subject`.
    case object(ObjectAnnotation)

    /// The item's identity on the map, the same while the item is on it.
    public var id: String {
        switch self {
        case .person(let pin), .stop(let pin): pin.id
        case .object(let annotation): annotation.id
        }
    }

    /// The person's name or the object's title; `nil` if there is none.
    public var name: String? {
        switch self {
        case .person(let pin), .stop(let pin): pin.name
        case .object(let annotation): annotation.title
        }
    }

    /// The item's position.
    var coordinate: Coordinate {
        switch self {
        case .person(let pin), .stop(let pin): pin.coordinate
        case .object(let annotation): annotation.coordinate
        }
    }

    /// The color of the person, or the one that all objects of an entity have, as on the page.
    var color: PersonColor {
        switch self {
        case .person(let pin), .stop(let pin): pin.color
        case .object(let annotation): PersonColor(ofStranger: annotation.subject.record.entity.description)
        }
    }

    /// The letters in the pin: a person's initials, or the first letter of an object's entity; empty for a person without a name.
    var letters: String {
        switch self {
        case .person(let pin): pin.name?.initials ?? ""
        case .stop: ""
        case .object(let annotation):
            String(annotation.subject.record.entity.description.prefix(1)).uppercased()
        }
    }
}
