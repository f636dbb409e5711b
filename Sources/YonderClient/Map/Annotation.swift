public import YonderGeodesy
import YonderModel

/// Something on the map, what is said of it, and what it stands for.
public struct Annotation<Subject: Locatable>: Hashable, Sendable, Identifiable {
    /// The same for the same thing, wherever it is and whatever is said of it.
    public let id: String

    /// What it stands for.
    public var subject: Subject

    /// What is said of it first, or `nil`.
    public var title: String?

    /// What is said of it below that, or `nil`.
    public var subtitle: String?

    /// Creates an annotation.
    public init(id: String, of subject: Subject, title: String? = nil, subtitle: String? = nil) {
        self.id = id
        self.subject = subject
        self.title = title
        self.subtitle = subtitle
    }

    /// Where it is.
    public var coordinate: Coordinate { subject.coordinate }

    /// Whether it is the same as an older version of it, but for where it is and since when.
    public func isSame(elsewhere older: Annotation) -> Bool {
        id == older.id && title == older.title && subtitle == older.subtitle
            && subject.isSame(elsewhere: older.subject)
    }
}

/// An object on the map.
public typealias PlaceAnnotation = Annotation<Place>

extension Annotation<Place> {
    /// Creates the annotation of a place, with its address below the title.
    ///
    /// Its id is `place/` and that of the object, so that no place is taken for a person.
    public init(_ place: Place, title: String?) {
        self.init(id: "place/\(place.id)", of: place, title: title, subtitle: place.location.address)
    }
}
