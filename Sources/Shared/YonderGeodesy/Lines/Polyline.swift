/// A line through coordinates, each joined to the next along a great circle.
///
/// For apps that draw or measure lines; nothing fails (`PolylineTests`).
public struct Polyline: Hashable, Sendable {
    /// The coordinates in order.
    public var coordinates: [Coordinate]

    /// Creates a line through coordinates.
    public init(_ coordinates: [Coordinate] = []) {
        self.coordinates = coordinates
    }

    /// The sum of the distances between neighbors.
    public var length: Distance {
        zip(coordinates, coordinates.dropFirst()).reduce(.zero) { $0 + $1.0.distance(to: $1.1) }
    }
}
