import RealModule

// Everything here is on a sphere. Its radius is the mean radius R₁ = (2a + b) / 3 of H. Moritz, *Geodetic
// Reference System 1980*, Journal of Geodesy 74 (2000), with WGS 84's axes.
//
// How far that is from the ellipsoid: with geodetic latitudes a short step is M²dφ² + N²cos²φ dλ² there, and
// R²(dφ² + cos²φ dλ²) here. The radii of curvature M and N lie between a(1 − e²) = 6 335 439 m (M at the
// equator) and a²/b = 6 399 594 m (both at a pole), so every path, and with it every distance, is between
// 0.99442 and 1.00449 times as long on the ellipsoid: the error is at most 0.56 %.
//
// Criteria, arrivals, the nearest objects, speeds of the demo and map views measure with these functions. None fails. The
// sphere's radius must stay: server and clients compare with the same distance, and the page has the same number
// (`Web/app/history/day.js`). `GreatCircleTests` compares with values of the ellipsoid within the error above.
extension Coordinate {
    /// The radius of the sphere that distances are measured on.
    public static let earthRadius = Distance.meters(6_371_008.8)

    /// The great-circle distance to another coordinate, at most 0.56 % off the distance on the ellipsoid.
    ///
    /// By the haversine formula (R. W. Sinnott, *Virtues of the Haversine*, Sky and Telescope 68, 1984),
    /// which is exact to rounding for near points and to a meter for antipodes.
    public func distance(to other: Coordinate) -> Distance {
        let (from, to) = (Radians(self), Radians(other))
        let sineOfHalfLatitude = Double.sin((to.latitude - from.latitude) / 2)
        let sineOfHalfLongitude = Double.sin((to.longitude - from.longitude) / 2)
        let haversine =
            sineOfHalfLatitude * sineOfHalfLatitude
            + .cos(from.latitude) * .cos(to.latitude) * sineOfHalfLongitude * sineOfHalfLongitude
        return Self.distance(haversine: haversine)
    }

    /// The distance whose arc has the given haversine.
    static func distance(haversine: Double) -> Distance {
        earthRadius * (2 * .asin(min(1, haversine).squareRoot()))
    }

    /// The direction in which the great circle to another coordinate begins; north if both are the same.
    ///
    /// At a pole the direction is measured from the meridian of this coordinate's longitude.
    public func initialBearing(to other: Coordinate) -> Bearing {
        let (from, to) = (Radians(self), Radians(other))
        let difference = to.longitude - from.longitude
        let east = .sin(difference) * .cos(to.latitude)
        let north =
            .cos(from.latitude) * .sin(to.latitude)
            - .sin(from.latitude) * .cos(to.latitude) * .cos(difference)
        return .degrees(Double.atan2(y: east, x: north) / .pi * 180)
    }

    /// The coordinate at a distance along the great circle that begins in a direction.
    ///
    /// Exact to rounding everywhere, including the poles; a negative distance goes backward.
    public func destination(bearing: Bearing, distance: Distance) -> Coordinate {
        let from = Radians(self)
        let direction = bearing.degrees / 180 * .pi
        let arc = distance / Self.earthRadius
        // The unit vector of the arrival, where this coordinate's meridian is that of x and z:
        // (up cos arc) + (north cos direction + east sin direction) sin arc.
        let x = .cos(from.latitude) * .cos(arc) - .sin(from.latitude) * .cos(direction) * .sin(arc)
        let y = .sin(direction) * .sin(arc)
        let z = .sin(from.latitude) * .cos(arc) + .cos(from.latitude) * .cos(direction) * .sin(arc)
        let latitude = Double.atan2(y: z, x: .hypot(x, y))
        return Coordinate(
            computedLatitude: latitude / .pi * 180,
            longitude: longitude + .atan2(y: y, x: x) / .pi * 180
        )
    }

    /// The coordinate at a fraction of the great circle to another: 0 is this coordinate, 1 the other.
    ///
    /// Between antipodes, which infinitely many great circles join, one of these is used. `fraction` must be
    /// finite.
    public func interpolated(to other: Coordinate, fraction: Double) -> Coordinate {
        if fraction == 0 { return self }
        if fraction == 1 { return other }
        return destination(bearing: initialBearing(to: other), distance: distance(to: other) * fraction)
    }
}

/// A coordinate in radians.
private struct Radians {
    let latitude: Double
    let longitude: Double

    init(_ coordinate: Coordinate) {
        latitude = coordinate.latitude / 180 * .pi
        longitude = coordinate.longitude / 180 * .pi
    }
}
