package import YonderGeodesy

/// What happened to a thing on the map.
package enum PlaceEvent: Hashable, Sendable {
    /// It is there now, and wasn't before.
    case inserted(PointIndex.ID, at: Coordinate.Rounded)

    /// It went from one place to another.
    case moved(PointIndex.ID, from: Coordinate.Rounded, to: Coordinate.Rounded)

    /// Something of it other than its place is different.
    case changed(PointIndex.ID, at: Coordinate.Rounded)

    /// It is gone from the place where it was last.
    case removed(PointIndex.ID, at: Coordinate.Rounded)

    /// The thing's number.
    package var id: PointIndex.ID {
        switch self {
        case .inserted(let id, _), .moved(let id, _, _), .changed(let id, _), .removed(let id, _): id
        }
    }
}

/// What a ``PlaceEvent`` is to one region.
package enum Passage: UInt8, Hashable, Sendable {
    /// The thing is inside now, and wasn't.
    case entered

    /// It was inside, still is, and went elsewhere inside.
    case moved

    /// It is inside, where it was, and looks different.
    case changed

    /// It was inside, and isn't anymore.
    case left
}
