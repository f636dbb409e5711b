import YonderClient
import YonderGeodesy

/// An item of a map as the map draws it.
///
/// `MapDrawing` makes it; `MapLayers`, `PinViews` and `MapDriver` draw it. Nothing fails. ``looks(like:)`` must name every
/// property that a view draws except the position: what it leaves out wouldn't be drawn anew (`MapDrawingTests`).
struct DrawnPin: Hashable, Sendable, Identifiable {
    /// The value behind the pin.
    let item: MapItem

    /// The text under the pin, which VoiceOver reads; for a stop the person's name alone.
    let label: String

    /// The pin's color.
    let color: PersonColor

    var id: String { item.id }
    var coordinate: Coordinate { item.coordinate }
    var letters: String { item.letters }

    var kind: MapKind {
        switch item {
        case .person: .person
        case .stop: .stop
        case .object: .object
        }
    }

    /// Whether this pin looks like an older version of it, which may have been elsewhere.
    func looks(like older: DrawnPin) -> Bool {
        (label, color, letters, kind) == (older.label, older.color, older.letters, older.kind)
    }
}

/// A person's line as the map draws it.
struct DrawnLine: Hashable, Sendable, Identifiable {
    /// The id of the person's pin.
    let id: String

    /// The positions, oldest first.
    let points: [Coordinate]

    /// The line's color.
    let color: PersonColor
}
