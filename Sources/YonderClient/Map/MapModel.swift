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

        /// Whether nothing is to be done.
        public var isEmpty: Bool { pins.isEmpty && lines.isEmpty && stops.isEmpty }
    }

    /// What is shown.
    public private(set) var annotations = MapAnnotations()

    /// The id of the selected pin or stop, or `nil`.
    public private(set) var selection: String?

    /// An empty map.
    public init() {}

    /// Shows `next`, and says what has to change for it.
    public mutating func show(_ next: MapAnnotations) -> Changes {
        let changes = Changes(
            pins: KeyedChanges(from: annotations.pins, to: next.pins),
            lines: KeyedChanges(from: annotations.lines, to: next.lines),
            stops: KeyedChanges(from: annotations.stops, to: next.stops)
        )
        annotations = next
        if let selection, selected == nil {
            assert(changes.pins.removed.contains(selection) || changes.stops.removed.contains(selection))
            self.selection = nil
        }
        return changes
    }

    /// Selects a pin or a stop; nothing if it isn't there, or with `nil`.
    public mutating func select(_ id: String?) {
        selection = id
        if selected == nil { selection = nil }
    }

    /// The selected pin or stop as it is now.
    public var selected: MapPin? {
        selection.flatMap { annotations.pins[$0] ?? annotations.stops[$0] }
    }
}
