/// A region that doesn't cross the antimeridian.
///
/// An edge beyond which no point can lie is set to the extreme number, so that the cells there count as
/// inside.
///
/// `PointTree+Region.swift`, `PointIndex+Ranked.swift` and the search for the nearest compare cells and groups with it; a
/// region makes one or two (``Region/parts``). Nothing fails. Whether a point is inside must equal
/// ``Region/contains(_:)-(Coordinate.Rounded)``, at the edges, too (`PointIndexTests`). The spelled-out vector types must
/// stay until `make bench-guard` shows that they needn't.
struct Window {
    let west: Int32
    let south: Int32
    let east: Int32
    let north: Int32

    init(_ part: Region) {
        west = part.westEdge == -Region.antimeridian ? .min : part.westEdge
        south = part.southEdge == -Region.pole ? .min : part.southEdge
        east = part.eastEdge == Region.antimeridian ? .max : part.eastEdge
        north = part.northEdge == Region.pole ? .max : part.northEdge
    }

    /// The lanes of a group that are inside: −1 if so, else 0.
    ///
    /// A lane without a point has an undefined result.
    @inline(__always)
    func contains(_ group: Group) -> SIMD8<Int32> {
        unsafeBitCast(.!isOutside(group), to: SIMD8<Int32>.self)
    }

    /// The same for a leaf's first group, which has points in its first `fill` lanes only.
    @inline(__always)
    func contains(_ group: Group, fill: Int) -> SIMD8<Int32> {
        let lanes = SIMD8<Int32>(0, 1, 2, 3, 4, 5, 6, 7)
        let filled = SIMD8<Int32>(repeating: Int32(truncatingIfNeeded: fill))
        let isEmpty: SIMDMask<SIMD8<Int32>> = lanes .>= filled
        return unsafeBitCast(.!(isEmpty .| isOutside(group)), to: SIMD8<Int32>.self)
    }

    // The types are spelled out because the operators on two vectors of a known type are one instruction
    // each, while the overloads chosen otherwise loop over the lanes.
    @inline(__always)
    private func isOutside(_ group: Group) -> SIMDMask<SIMD8<Int32>> {
        let (latitudes, longitudes) = (group.latitudes, group.longitudes)
        let (souths, norths) = (SIMD8<Int32>(repeating: south), SIMD8<Int32>(repeating: north))
        let (wests, easts) = (SIMD8<Int32>(repeating: west), SIMD8<Int32>(repeating: east))
        let isBelow: SIMDMask<SIMD8<Int32>> = (latitudes .< souths) .| (longitudes .< wests)
        let isAbove: SIMDMask<SIMD8<Int32>> = (latitudes .> norths) .| (longitudes .> easts)
        return isBelow .| isAbove
    }
}

extension Window {
    /// The most easterly longitude and the most northerly latitude of a cell below the root.
    @inline(__always)
    private func end(of cell: Cell) -> (east: Int32, north: Int32) {
        let side = Int32(bitPattern: UInt32(1) << (32 &- UInt32(truncatingIfNeeded: cell.depth)) &- 1)
        return (cell.west &+ side, cell.south &+ side)
    }

    @inline(__always)
    func intersects(_ cell: Cell) -> Bool {
        let end = end(of: cell)
        return cell.west <= east && end.east >= west && cell.south <= north && end.north >= south
    }

    @inline(__always)
    func contains(_ cell: Cell) -> Bool {
        let end = end(of: cell)
        return west <= cell.west && end.east <= east && south <= cell.south && end.north <= north
    }

    /// Whether a cell contains the whole window, and no part of the window lies beyond the antimeridian.
    @inline(__always)
    func isInside(_ cell: Cell) -> Bool {
        let end = end(of: cell)
        return cell.west <= west && east <= end.east && cell.south <= south && north <= end.north
            && west >= -Region.antimeridian && east < Region.antimeridian
    }
}
