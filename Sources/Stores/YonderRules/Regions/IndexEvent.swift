package import YonderGeodesy
import YonderModel

/// A change of one item on the map.
///
/// `ObjectIndex` and `PeopleMap` make events, `RegionBoard` finds the regions of each, `LiveRegion` gets the passage.
/// They are plain values. Events of one item must come in their order, without a gap: each has the place before and
/// after (`RegionInterestTests`, `LiveRegionTests`).
package enum IndexEvent: Hashable, Sendable {
    /// The item was added.
    case inserted(PointIndex.ID, at: Coordinate.Rounded)

    /// The item moved.
    case moved(PointIndex.ID, from: Coordinate.Rounded, to: Coordinate.Rounded)

    /// A value of the item other than its position changed.
    case changed(PointIndex.ID, at: Coordinate.Rounded)

    /// The item was removed; the point is its last position.
    case removed(PointIndex.ID, at: Coordinate.Rounded)

    /// The item's number in the index.
    package var id: PointIndex.ID {
        switch self {
        case .inserted(let id, _), .moved(let id, _, _), .changed(let id, _), .removed(let id, _): id
        }
    }
}

/// The effect of a ``IndexEvent`` on one region.
package enum Passage: UInt8, Hashable, Sendable {
    /// The item is inside now, and was outside before.
    case entered

    /// The item moved within the region.
    case moved

    /// The item is inside, hasn't moved, and has another changed value.
    case changed

    /// The item was inside, and is no longer.
    case left
}
