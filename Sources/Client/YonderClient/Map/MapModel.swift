/// The content of a map, and the changes that lead to new content.
///
/// A pin that moves stays the same pin. A selected item stays selected until it is removed.
///
/// `ChatMapModel`, `PlacesModel` and `WorldModel` of `YonderAppModels` have one each; a view of an app's own may, too.
/// Its owner calls ``show(_:)`` with all content after each change, draws ``annotations`` or applies the changes, and passes
/// taps to ``select(_:)``. Nothing fails: an unknown id clears the selection, or removes nothing.
///
/// One id belongs to one item, whether pin, stop or object; `MapAnnotations` says how the ids of each kind begin. An owner
/// that used an id twice would find the item in both ``selected`` and ``selectedObject``. That the selection follows its
/// item must stay (decision 14, `MapFixtureTests`, `RegionFixtureTests`); the changes are in no particular order.
public struct MapModel: Sendable {
    /// The changes for a map view to apply, by kind of item.
    public struct Changes: Sendable, Equatable {
        /// Changes to the pins.
        public var pins: KeyedChanges<MapPin>

        /// Changes to the lines.
        public var lines: KeyedChanges<MapLine>

        /// Changes to the stops.
        public var stops: KeyedChanges<MapPin>

        /// Changes to the objects.
        ///
        /// An object that only moved is in `moved`, because a map view can move it without drawing it
        /// anew. A pin, a line or a stop that moved is in `changed`.
        public var objects: KeyedChanges<ObjectAnnotation>

        /// Whether there is no change.
        public var isEmpty: Bool { pins.isEmpty && lines.isEmpty && stops.isEmpty && objects.isEmpty }
    }

    /// The content shown.
    public private(set) var annotations = MapAnnotations()

    /// The id of the selected pin, stop or object, or `nil`.
    public private(set) var selection: String?

    /// An empty map.
    public init() {}

    /// Shows `next`, and returns the changes.
    public mutating func show(_ next: MapAnnotations) -> Changes {
        let changes = Changes(
            pins: KeyedChanges(from: annotations.pins, to: next.pins),
            lines: KeyedChanges(from: annotations.lines, to: next.lines),
            stops: KeyedChanges(from: annotations.stops, to: next.stops),
            objects: KeyedChanges(from: annotations.objects, to: next.objects) { $1.isSame(elsewhere: $0) }
        )
        annotations = next
        if !isSelectionShown { selection = nil }
        return changes
    }

    /// Adds a pin, or replaces the one with its id.
    ///
    /// For owners with very many pins that move one at a time, as in the world: it takes constant time, where ``show(_:)``
    /// compares all items. It returns no changes; the view gets ``annotations`` and compares them itself.
    public mutating func put(_ pin: MapPin) {
        annotations.pins[pin.id] = pin
    }

    /// Removes a pin if it is on the map, in constant time and without returning changes, as ``put(_:)`` does.
    public mutating func removePin(_ id: String) {
        annotations.pins[id] = nil
        if !isSelectionShown { selection = nil }
    }

    /// Replaces the objects, keeps the people, and returns the changes.
    ///
    /// Pass the annotations of ``RegionContents/shown``, and call ``RegionContents/hold(_:)`` for the
    /// selected object, which then stays selected while the map is moved away from it.
    public mutating func show(objects: some Sequence<ObjectAnnotation>) -> Changes {
        var next = annotations
        next.objects = MapAnnotations(objects: objects).objects
        return show(next)
    }

    /// Selects a pin, a stop or an object; clears the selection if the id is `nil` or isn't on the map.
    public mutating func select(_ id: String?) {
        selection = id
        if !isSelectionShown { selection = nil }
    }

    private var isSelectionShown: Bool { selected != nil || selectedObject != nil }

    /// The selected pin or stop in its current state.
    public var selected: MapPin? {
        selection.flatMap { annotations.pins[$0] ?? annotations.stops[$0] }
    }

    /// The selected object in its current state.
    public var selectedObject: ObjectAnnotation? {
        selection.flatMap { annotations.objects[$0] }
    }
}
