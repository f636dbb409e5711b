public import YonderGeodesy

/// Where a map should look now.
///
/// A map view moves when ``number`` changes, and otherwise stays where its user has moved it. `PeopleMap` and `MapDriver` of
/// `YonderMap` do so.
///
/// `ChatMapModel` and `WorldModel` make one for each button and each step of following; nothing fails. That an equal number
/// moves nothing must stay, or a map would jump at each drawing (`MapMovesTests`, `ChatMapModelTests`).
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

    /// The number of the look, which rises with each look.
    public let number: Int

    /// Creates a look.
    public init(_ target: Target, number: Int) {
        (self.target, self.number) = (target, number)
    }

    /// The look after this one.
    package static func next(after look: MapLook?, _ target: Target) -> MapLook {
        MapLook(target, number: (look?.number ?? 0) + 1)
    }
}
