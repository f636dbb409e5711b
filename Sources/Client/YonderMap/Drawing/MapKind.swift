/// How an item of a map is drawn.
///
/// `MapDrawing` lists pins by it, and MapKit's views are used again by its raw value; a further kind needs a view in
/// `PinViews` and `PinView`.
enum MapKind: String, Hashable, Sendable, CaseIterable {
    /// A balloon with a person's initials.
    case person
    /// A dot on a person's line.
    case stop
    /// A balloon with the first letter of an object's entity.
    case object
}
