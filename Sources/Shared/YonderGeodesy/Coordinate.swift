/// A point on the Earth's surface, in WGS 84 degrees.
///
/// Every position, object and edge of a map is made of it. What exists is valid; a reader of a frame, a file or a device that
/// gets `nil` refuses the value. The folding of longitudes must stay exact, since points are compared after it
/// (`CoordinateTests`). ``description`` is also the form of a parameter of REST.
public struct Coordinate: Hashable, Sendable {
    /// Degrees north of the equator, in `-90...90`.
    public let latitude: Double

    /// Degrees east of Greenwich, in `-180..<180`.
    public let longitude: Double

    /// Creates a coordinate, folding the longitude into `-180..<180`.
    ///
    /// - Returns: `nil` if `latitude` lies outside `-90...90` or if `longitude` isn't finite.
    public init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), longitude.isFinite else { return nil }
        self.latitude = latitude
        // A longitude in range stays unchanged, because the division is the slowest part.
        if (-180..<180).contains(longitude) {
            self.longitude = longitude
        } else {
            // Exact, where `x - 360 * floor((x + 180) / 360)` gives less than -180 just below 180.
            let folded = longitude.remainder(dividingBy: 360)
            self.longitude = folded == 180 ? -180 : folded
        }
    }

    /// Creates a coordinate, refusing a longitude that would have to be folded.
    ///
    /// - Returns: `nil` if `latitude` lies outside `-90...90`, or `longitude` outside `-180...180`.
    package init?(unfoldedLatitude latitude: Double, longitude: Double) {
        guard (-180...180).contains(longitude) else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }

    /// Creates a computed coordinate, whose latitude may lie beyond a pole by a rounding error.
    ///
    /// Both numbers must be finite.
    init(computedLatitude latitude: Double, longitude: Double) {
        let folded = longitude.remainder(dividingBy: 360)
        self.latitude = min(90, max(-90, latitude))
        self.longitude = folded == 180 ? -180 : folded
    }
}

extension Coordinate: CustomStringConvertible {
    /// The latitude and the longitude in degrees, joined by a comma.
    public var description: String {
        "\(latitude),\(longitude)"
    }
}
