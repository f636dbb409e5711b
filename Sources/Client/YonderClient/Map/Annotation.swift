public import YonderGeodesy
import YonderModel

/// An item on the map with its texts, and the value that it represents.
///
/// An app makes one of an object with a title of its own, for `MapAnnotations`; `PlacesModel` does. Nothing fails. The
/// beginning `place/` of an object's id must stay, because a map tells objects and people apart by it (`MapFixtureTests`).
/// ``isSame(elsewhere:)`` decides whether a view moves the pin or draws it anew.
public struct Annotation<Subject: Locatable>: Hashable, Sendable, Identifiable {
    /// The annotation's identity, which stays the same while position and texts change.
    public let id: String

    /// The item that the annotation represents.
    public var subject: Subject

    /// The title, or `nil`.
    public var title: String?

    /// The text below the title, or `nil`.
    public var subtitle: String?

    /// Creates an annotation.
    public init(id: String, of subject: Subject, title: String? = nil, subtitle: String? = nil) {
        self.id = id
        self.subject = subject
        self.title = title
        self.subtitle = subtitle
    }

    /// The annotation's position.
    public var coordinate: Coordinate { subject.coordinate }

    /// Whether the annotation equals an older version, apart from its position and the position's time.
    public func isSame(elsewhere older: Annotation) -> Bool {
        id == older.id && title == older.title && subtitle == older.subtitle
            && subject.isSame(elsewhere: older.subject)
    }
}

/// An annotation for an object on the map.
public typealias ObjectAnnotation = Annotation<MapObject>

extension Annotation<MapObject> {
    /// Creates the annotation of an object, with the object's address below the title.
    ///
    /// The annotation's id is `place/` and the object's id, so that it can't equal a person's.
    public init(_ object: MapObject, title: String?) {
        self.init(id: "place/\(object.id)", of: object, title: title, subtitle: object.location.address)
    }
}
