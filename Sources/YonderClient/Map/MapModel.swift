/// What is on a map now, and what has to change to show something else.
///
/// A pin that moves stays the same pin; what is selected stays selected until it is removed itself.
public struct MapModel: Sendable {
    /// What a map view has to do, kind by kind.
    public struct Changes: Sendable, Equatable {
        /// Changes to the pins.
        public var pins: KeyedChanges<MapPin>

        /// Changes to the lines.
        public var lines: KeyedChanges<MapLine>

        /// Changes to the stops.
        public var stops: KeyedChanges<MapPin>

        /// Changes to the places, in which what moved is told apart from what changed.
        public var places: KeyedChanges<PlaceAnnotation>

        /// Whether nothing is to be done.
        public var isEmpty: Bool { pins.isEmpty && lines.isEmpty && stops.isEmpty && places.isEmpty }
    }

    /// What is shown.
    public private(set) var annotations = MapAnnotations()

    /// The id of the selected pin, stop or place, or `nil`.
    public private(set) var selection: String?

    /// An empty map.
    public init() {}

    /// Shows `next`, and says what has to change for it.
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

    /// Shows these places in place of those that are there, and leaves the people.
    ///
    /// Give it what is ``RegionContents/shown``, and ``RegionContents/hold(_:)`` the selected one: then it stays selected
    /// while the map is moved away from it.
    public mutating func show(places: some Sequence<PlaceAnnotation>) -> Changes {
        var next = annotations
        next.places = MapAnnotations(places: places).places
        return show(next)
    }

    /// Selects a pin, a stop or a place; nothing if it isn't there, or with `nil`.
    public mutating func select(_ id: String?) {
        selection = id
        if !isSelectionShown { selection = nil }
    }

    private var isSelectionShown: Bool { selected != nil || selectedPlace != nil }

    /// The selected pin or stop as it is now.
    public var selected: MapPin? {
        selection.flatMap { annotations.pins[$0] ?? annotations.stops[$0] }
    }

    /// The selected place as it is now.
    public var selectedPlace: PlaceAnnotation? {
        selection.flatMap { annotations.places[$0] }
    }
}
