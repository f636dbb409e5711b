import RealModule

// Apps simplify lines before they draw them; the server's tracks use `TimedPolyline`, which keeps times, too. It can't fail.
// That no coordinate left out is farther away than the tolerance, and that both ends stay, is promised (`PolylineTests`,
// which measure every one); which coordinates are kept may change.
extension Polyline {
    /// The line without the coordinates that hardly change its shape.
    ///
    /// See ``keptIndices(tolerance:)``.
    public func simplified(tolerance: Distance) -> Polyline {
        Polyline(keptIndices(tolerance: tolerance).map { coordinates[$0] })
    }

    /// The indexes of the coordinates that a simplified line keeps, in order.
    ///
    /// No coordinate left out is farther than the tolerance from the part of the simplified line that
    /// replaces it. The first and the last are always kept. By D. H. Douglas and T. K. Peucker, *Algorithms
    /// for the Reduction of the Number of Points Required to Represent a Digitized Line or its Caricature*
    /// (1973), with an explicit stack, on the sphere. Takes n log n steps for typical tracks, n² at worst.
    public func keptIndices(tolerance: Distance) -> [Int] {
        guard coordinates.count > 2 else { return Array(coordinates.indices) }
        let points = coordinates.map(Vector.init)
        let limit = tolerance / Coordinate.earthRadius
        var isKept = [Bool](repeating: false, count: points.count)
        isKept[0] = true
        isKept[points.count - 1] = true

        var unfinished = [0...(points.count - 1)]
        while let span = unfinished.popLast() {
            let farthest = Self.farthest(in: span, of: points)
            guard let index = farthest.index, farthest.arc > limit else { continue }
            isKept[index] = true
            unfinished.append(span.lowerBound...index)
            unfinished.append(index...span.upperBound)
        }
        return isKept.indices.filter { isKept[$0] }
    }

    /// The inner point of a span that is farthest from the arc between its ends; no index if there is none.
    private static func farthest(
        in span: ClosedRange<Int>,
        of points: [Vector]
    ) -> (index: Int?, arc: Double) {
        let arc = GreatCircleArc(from: points[span.lowerBound], to: points[span.upperBound])
        var farthest: (index: Int?, arc: Double) = (nil, -1)
        for index in span.dropFirst().dropLast() {
            let distance = arc.distance(to: points[index])
            if distance > farthest.arc { farthest = (index, distance) }
        }
        return farthest
    }
}

/// The shorter part of the great circle between two points.
///
/// Everything is computed from differences of nearby unit vectors, so that it is exact to nanometers even
/// for points a step apart.
private struct GreatCircleArc {
    let start: Vector
    let end: Vector

    /// The direction of the circle at the start, toward the end.
    private let startDirection: Vector

    /// The direction of the circle at the end, toward the start.
    private let endDirection: Vector

    /// A unit vector perpendicular to the circle; `nil` if the ends coincide.
    private let normal: Vector?

    init(from start: Vector, to end: Vector) {
        self.start = start
        self.end = end
        let chord = end - start
        startDirection = chord - start * start.dot(chord)
        endDirection = end * end.dot(chord) - chord
        let normal = start.cross(chord)
        let length = normal.length
        self.normal = length > 0 ? normal * (1 / length) : nil
    }

    /// The distance in radians from a point to the nearest point of the arc.
    func distance(to point: Vector) -> Double {
        let (fromStart, fromEnd) = (point - start, point - end)
        if let normal, fromStart.dot(startDirection) > 0, fromEnd.dot(endDirection) > 0 {
            return .asin(min(1, fromStart.dot(normal).magnitude))
        }
        return 2 * .asin(min(1, min(fromStart.length, fromEnd.length) / 2))
    }
}
