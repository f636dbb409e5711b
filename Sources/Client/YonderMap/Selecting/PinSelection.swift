/// Decides which pin a map view selects, and which selections by hand the app is sent.
///
/// The app and the user both select; a map view reports a selection by either with the same calls, and loses one when a pin leaves
/// the map or isn't in view. The selected pin stays selected until the app or the user selects another one or none.
///
/// `MapDriver` has one, calls it before and after each change and for MapKit's reports, and performs ``action(isOnMap:)``. It
/// can't fail. MapKit reports its own deselections like the user's, which is why the order of the calls must stay: otherwise
/// a person who moves out of view would lose the selection (decision 14, `PinSelectionTests`).
struct PinSelection: Hashable, Sendable {
    /// A change that a map view makes.
    enum Action: Hashable, Sendable {
        /// Select the pin of this id.
        case select(String)
        /// Deselect the pin of this id.
        case deselect(String)
    }

    /// The id of the pin that should be selected, or `nil`.
    private(set) var wanted: String?

    /// The id of the pin that the view has selected, or `nil`.
    private(set) var shown: String?

    /// Takes the app's selection.
    mutating func want(_ id: String?) {
        wanted = id
    }

    /// What the view has to change.
    ///
    /// Call this after each change of the pins, of the wanted selection and of the region, as a view selects only a pin in view.
    ///
    /// - Parameter isOnMap: Whether the map has a pin of an id.
    /// - Returns: `nil` if the view has nothing to change.
    func action(isOnMap: (String) -> Bool) -> Action? {
        guard wanted != shown else { return nil }
        if let wanted, isOnMap(wanted) { return .select(wanted) }
        return shown.map(Action.deselect)
    }

    /// Call this before the pins of these ids leave the map.
    mutating func willRemove(_ ids: some Sequence<String>) {
        if let shown, ids.contains(shown) { self.shown = nil }
    }

    /// Call this when the view has selected a pin.
    ///
    /// - Returns: Whether the user selected the pin, so that the app is sent the pin's id.
    mutating func didSelect(_ id: String) -> Bool {
        shown = id
        guard wanted != id else { return false }
        wanted = id
        return true
    }

    /// Call this when the view has deselected a pin.
    ///
    /// - Returns: Whether the user deselected the pin, so that the app is sent `nil`. The view itself deselects a pin that leaves the map.
    mutating func didDeselect(_ id: String, isOnMap: (String) -> Bool) -> Bool {
        if shown == id { shown = nil }
        guard wanted == id, isOnMap(id) else { return false }
        wanted = nil
        return true
    }
}
