public import YonderGeodesy

/// The name of a person's position: a street and its settlement, or a settlement near it.
///
/// `PlaceNaming` of the server makes it, `/v1/geocoding/names` sends it, and `RESTClient.names(of:language:)` returns it
/// (`PlaceNameTests`).
public struct PlaceName: Hashable, Sendable {
    /// The street, or `nil` if none is near or known.
    public var street: String?

    /// The town or village, or `nil` if none is known.
    public var settlement: String?

    /// How far the street is, or without one the settlement's middle.
    public var distance: Distance

    /// Joins them.
    public init(street: String?, settlement: String?, distance: Distance) {
        self.street = street
        self.settlement = settlement
        self.distance = distance
    }
}
