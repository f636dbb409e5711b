/// An area within a closed line, including the line.
///
/// An edge between two vertices is straight in degrees, as on a map in the equirectangular projection, and
/// takes the shorter way around the Earth; so a polygon may cross the antimeridian. It can't contain a pole.
/// Where the line crosses itself, areas that it encloses an even number of times are outside.
///
/// For apps that ask whether a position is inside an area, such as a district or a geofence; server and client don't use it.
/// Invalid corners give `nil`, and nothing else fails. That a point on an edge is inside, and that edges take the shorter way
/// around, must stay (`PolylineTests`). A search per edge may become faster.
public struct Polygon: Hashable, Sendable {
    /// The corners in order; the last is joined to the first.
    public let vertices: [Coordinate]

    /// The vertices' longitudes on one continuous scale, without a jump at the antimeridian.
    private let longitudes: [Double]

    /// Creates a polygon from its corners; the first may be repeated at the end.
    ///
    /// - Returns: `nil` if there are fewer than three corners or if the line goes around a pole.
    public init?(vertices: [Coordinate]) {
        let corners =
            vertices.count > 1 && vertices.first == vertices.last ? vertices.dropLast() : vertices[...]
        guard corners.count >= 3, let first = corners.first else { return nil }

        var longitudes: [Double] = []
        longitudes.reserveCapacity(corners.count)
        for corner in corners {
            longitudes.append(Self.turned(corner.longitude, toward: longitudes.last ?? first.longitude))
        }
        let end = longitudes.last ?? first.longitude
        guard Self.turned(first.longitude, toward: end) == first.longitude else { return nil }
        self.vertices = Array(corners)
        self.longitudes = longitudes
    }

    /// Whether a coordinate lies inside or exactly on an edge; takes a step per vertex.
    public func contains(_ coordinate: Coordinate) -> Bool {
        guard let least = longitudes.min(), let most = longitudes.max() else { return false }
        let turns = ((least - coordinate.longitude) / 360).rounded(.up)
        var longitude = coordinate.longitude + 360 * turns
        while longitude <= most {
            if contains(latitude: coordinate.latitude, longitude: longitude) { return true }
            longitude += 360
        }
        return false
    }

    /// Counts the edges north of the point: an odd number means inside.
    private func contains(latitude: Double, longitude: Double) -> Bool {
        var isInside = false
        var previous = vertices.count - 1
        for index in vertices.indices {
            let (x1, y1) = (longitudes[previous] - longitude, vertices[previous].latitude - latitude)
            let (x2, y2) = (longitudes[index] - longitude, vertices[index].latitude - latitude)
            previous = index

            let turn = x1 * y2 - x2 * y1
            if turn == 0, x1 * x2 <= 0, y1 * y2 <= 0 { return true }
            if (x1 > 0) != (x2 > 0), (turn > 0) == (x1 > x2) { isInside.toggle() }
        }
        return isInside
    }

    /// A longitude shifted by the whole turns that bring it nearest to another.
    ///
    /// The result is exactly the same number for the same longitude, so that points on an edge are found
    /// there.
    private static func turned(_ longitude: Double, toward other: Double) -> Double {
        longitude + 360 * ((other - longitude) / 360).rounded()
    }
}
