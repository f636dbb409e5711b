/// The content of a map, and the changes that lead to new content.
///
/// A pin that moves stays the same pin. A selected item stays selected until it is removed.
public struct MapModel: Sendable {
    /// The changes for a map view to apply, by kind of item.
    public struct Changes: Sendable, Equatable {
        /// Changes to the pins.
        public var pins: KeyedChanges<MapPin>

        /// Changes to the lines.
        public var lines: KeyedChanges<MapLine>

        /// Changes to the stops.
        public var stops: KeyedChanges<MapPin>

        /// Changes to the places, with moves separate from other changes.
        public var places: KeyedChanges<PlaceAnnotation>

        /// Whether there is no change.
        public var isEmpty: Bool { pins.isEmpty && lines.isEmpty && stops.isEmpty && places.isEmpty }
    }

    /// The content shown.
    public private(set) var annotations = MapAnnotations()

    /// The id of the selected pin, stop or place, or `nil`.
    public private(set) var selection: String?

    /// An empty map.
    public init() {}

    /// Shows `next`, and returns the changes.
    public mutating func show(_ next: MapAnnotations) -> Changes {
        let changes = Changes(
            pins: KeyedChanges(from: annotations.pins, to: next.pins),
            lines: KeyedChanges(from: annotations.lines, to: next.lines),
            stops: KeyedChanges(from: annotations.stops, to: next.stops),
            places: KeyedChanges(from: annotations.places, to: next.places) { $1.isSame(elsewhere: $0) }
        )
        annotations = next
        if !isSelectionShown { selection = nil }
        return changes
    }

    /// Replaces the places, keeps the people, and returns the changes.
    ///
    /// Pass the annotations of ``RegionContents/shown``, and call ``RegionContents/hold(_:)`` for the
    /// selected place, which then stays selected while the map is moved away from it.
    public mutating func show(places: some Sequence<PlaceAnnotation>) -> Changes {
        var next = annotations
        next.places = MapAnnotations(places: places).places
        return show(next)
    }

    /// Selects a pin, a stop or a place; clears the selection if the id is `nil` or isn't on the map.
    public mutating func select(_ id: String?) {
        selection = id
        if !isSelectionShown { selection = nil }
    }

    private var isSelectionShown: Bool { selected != nil || selectedPlace != nil }

    /// The selected pin or stop in its current state.
    public var selected: MapPin? {
        selection.flatMap { annotations.pins[$0] ?? annotations.stops[$0] }
    }

    /// The selected place in its current state.
    public var selectedPlace: PlaceAnnotation? {
        selection.flatMap { annotations.places[$0] }
    }
}
