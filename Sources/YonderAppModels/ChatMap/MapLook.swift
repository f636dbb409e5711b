public import YonderGeodesy

/// Where a map should look now.
///
/// A map view moves when ``number`` changes, and otherwise stays where its user has moved it.
public struct MapLook: Hashable, Sendable {
    /// What a map should show.
    public enum Target: Hashable, Sendable {
        /// This place in the middle, at the present zoom.
        case center(Coordinate)
        /// This place in the middle, near enough to see streets.
        case close(Coordinate)
        /// All of this region.
        case region(Region)
    }

    /// What the map should show.
    public let target: Target

    /// Rises with each look.
    public let number: Int

    /// The look after this one.
    static func next(after look: MapLook?, _ target: Target) -> MapLook {
        MapLook(target: target, number: (look?.number ?? 0) + 1)
    }
}
