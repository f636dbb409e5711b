import RealModule

/// A range of latitudes or longitudes in 10⁻⁷ degrees, limited to valid ones.
///
/// The bounds with which `PointIndex+Nearest.swift`, the only caller, excludes cells, groups and points. Each *lower bound*
/// must not be greater than any point's haversine in the cell, and a window must contain every point within the bound; a
/// bound that is too tight loses a neighbor without an error. A looser one only takes longer. `PointIndexTests` and
/// `PlacesFixtureTests` compare the results with distances to all points.
struct Stretch {
    let least: Double
    let most: Double

    @inline(__always)
    init(column cell: Cell, upper: Bool) {
        let half = Cell.half(cell.west, depth: cell.depth, upper: upper)
        least = Double(max(half.least, -Region.antimeridian))
        most = Double(min(half.most, Region.antimeridian))
    }

    @inline(__always)
    init(row cell: Cell, upper: Bool) {
        let half = Cell.half(cell.south, depth: cell.depth, upper: upper)
        least = Double(max(half.least, -Region.pole))
        most = Double(min(half.most, Region.pole))
    }

    /// The distance from a number to the farther end.
    @inline(__always)
    func extent(_ number: Double) -> Double {
        max(number - least, most - number)
    }
}

/// The coordinate from which distances are measured, with bounds for cells and points.
struct Center {
    /// The nearest position that a point can have.
    let place: Coordinate.Rounded

    /// Degrees times 10⁷.
    let latitude: Double
    let longitude: Double

    private let sine: Double
    private let cosine: Double

    /// The radians in 10⁻⁷ degrees.
    static let radian = Double.pi / 180 / Coordinate.roundedUnitsPerDegree

    private static let circle = 360 * Coordinate.roundedUnitsPerDegree

    init(_ coordinate: Coordinate) {
        place = coordinate.rounded
        latitude = coordinate.latitude * Coordinate.roundedUnitsPerDegree
        longitude = coordinate.longitude * Coordinate.roundedUnitsPerDegree
        sine = .sin(latitude * Self.radian)
        cosine = max(0, .cos(latitude * Self.radian))
    }

    // MARK: Cells

    /// Lower bounds of hav Δφ and of cos φ₁ cos φ₂ for a row of cells.
    ///
    /// A cosine has no minimum between the poles, so the least value in a range is at one of its ends.
    @inline(__always)
    func rowBound(_ row: Stretch) -> (least: Double, weight: Double) {
        let gap = max(0, max(row.least - latitude, latitude - row.most)) * Self.radian
        return (
            Self.leastHaversine(gap),
            cosine * max(0, min(leastCosine(row.least), leastCosine(row.most)))
        )
    }

    /// A lower bound of the cosine of a latitude.
    ///
    /// From cos φ₂ = cos φ₁ cos Δφ − sin φ₁ sin Δφ with cos x ≥ 1 − x²/2 and 1 ≥ sin x / x ≥ 1 − x²/6.
    @inline(__always)
    private func leastCosine(_ latitude: Double) -> Double {
        let angle = (latitude - self.latitude) * Self.radian
        let square = angle * angle
        let rise = -sine * angle
        return cosine * (1 - square * 0.5) + min(rise, rise * (1 - square * (1.0 / 6)))
    }

    /// A lower bound of hav Δλ for a column of cells, in either direction around the Earth.
    @inline(__always)
    func columnBound(_ column: Stretch) -> Double {
        let (east, west) = (column.least - longitude, longitude - column.most)
        if east <= 0, west <= 0 { return 0 }
        let gap = min(east < 0 ? east + Self.circle : east, west < 0 ? west + Self.circle : west)
        return Self.leastHaversine(max(0, gap) * Self.radian)
    }

    /// A lower bound of the haversine of an angle in 0...π: the first two terms of an alternating series.
    @inline(__always)
    private static func leastHaversine(_ angle: Double) -> Double {
        let square = angle * angle
        return square * 0.25 * (1 - square * (1.0 / 12))
    }

    /// The longitude, shifted by a whole turn if necessary, on a column's side of the antimeridian.
    @inline(__always)
    func unfolded(toward column: Stretch) -> Double {
        let east = (column.least + column.most) / 2 - longitude
        if east > Self.circle / 2 { return longitude + Self.circle }
        if east < -Self.circle / 2 { return longitude - Self.circle }
        return longitude
    }

    // MARK: Points

    /// The haversine of a point from its offsets to the north and east, in 10⁻⁷ degrees.
    func haversine(_ north: Double, _ east: Double) -> Double {
        let rise = Double.sin(north * Self.radian / 2)
        let turn = Double.sin(east * Self.radian / 2)
        return rise * rise + cosine * .cos((latitude + north) * Self.radian) * turn * turn
    }

    /// The same for offsets of less than 0.1 radians, by Taylor's series: exact to rounding.
    @inline(__always)
    func nearHaversine(_ north: Double, _ east: Double) -> Double {
        let (y, x) = (north * Self.radian, east * Self.radian)
        let (y2, x2) = (y * y, x * x)
        let rise = y2 * 0.25 * Self.series(y2, 12, Self.series(y2, 30, Self.series(y2, 56, 1)))
        let turn = x2 * 0.25 * Self.series(x2, 12, Self.series(x2, 30, Self.series(x2, 56, 1)))
        let sineOfY = y * Self.series(y2, 6, Self.series(y2, 20, Self.series(y2, 42, Self.series(y2, 72, 1))))
        return haversine(rise, sineOfY, turn)
    }

    /// The same for offsets of less than one radian.
    @inline(__always)
    func middleHaversine(_ north: Double, _ east: Double) -> Double {
        let (y, x) = (north * Self.radian, east * Self.radian)
        let (y2, x2) = (y * y, x * x)
        let rise = y2 * 0.25 * Self.haversineSeries(y2)
        let turn = x2 * 0.25 * Self.haversineSeries(x2)
        let end = Self.series(y2, 110, Self.series(y2, 156, Self.series(y2, 210, Self.series(y2, 272, 1))))
        let sineOfY =
            y * Self.series(y2, 6, Self.series(y2, 20, Self.series(y2, 42, Self.series(y2, 72, end))))
        return haversine(rise, sineOfY, turn)
    }

    /// From cos φ₂ = cos φ₁ cos Δφ − sin φ₁ sin Δφ with cos Δφ = 1 − 2 hav Δφ.
    @inline(__always)
    private func haversine(_ rise: Double, _ sineOfNorth: Double, _ turn: Double) -> Double {
        rise + cosine * (cosine * (1 - 2 * rise) - sine * sineOfNorth) * turn
    }

    /// A step of the Taylor series of the sine and the haversine.
    ///
    /// sin x = x (1 − x²/6 (1 − x²/20 (…))) and hav x = x²/4 (1 − x²/12 (1 − x²/30 (…))).
    @inline(__always)
    private static func series(_ square: Double, _ divisor: Double, _ rest: Double) -> Double {
        1 - square * (1 / divisor) * rest
    }

    @inline(__always)
    private static func haversineSeries(_ x2: Double) -> Double {
        let end = series(x2, 132, series(x2, 182, series(x2, 240, series(x2, 306, 1))))
        return series(x2, 12, series(x2, 30, series(x2, 56, series(x2, 90, end))))
    }

    /// A window that contains every point whose haversine is at most `bound`, except across the antimeridian.
    ///
    /// A little wider than necessary, from hav Δφ ≤ bound and hav Δλ ≤ bound / (cos φ₁ cos φ₂): for x < 0.5,
    /// arcsin x < 1.05 x.
    func window(of bound: Double) -> Window {
        guard bound < 0.25 else { return .everything }
        let height = 2.1 * bound.squareRoot()
        let square = bound / (cosine * max(0, leastCosine(within: height)))
        let width = square < 0.25 ? 2.1 * square.squareRoot() : .infinity
        return Window(
            around: latitude,
            longitude,
            height: height / Self.radian + 1,
            width: width / Self.radian + 1
        )
    }

    /// A lower bound of the cosine of every latitude within some radians.
    private func leastCosine(within angle: Double) -> Double {
        cosine * (1 - angle * angle * 0.5) - abs(sine) * angle
    }
}

extension Window {
    fileprivate static let everything = Window(.everywhere)

    fileprivate init(around latitude: Double, _ longitude: Double, height: Double, width: Double) {
        west = Self.clamp(longitude - width)
        east = Self.clamp(longitude + width)
        south = Self.clamp(latitude - height)
        north = Self.clamp(latitude + height)
    }

    /// A number clamped to the range of an edge.
    private static func clamp(_ edge: Double) -> Int32 {
        Int32(max(-2_147_483_648, min(2_147_483_647, edge)))
    }
}
