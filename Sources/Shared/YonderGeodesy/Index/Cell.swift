/// A square of coordinates: the cell of a node or a leaf.
///
/// Every search and edit of `PointIndex` computes with cells; the nodes themselves store no coordinates. Nothing fails.
/// ``mostDepth`` is bounded by the five bits of `Home`; it may be less. The order of quadrants must be the same everywhere in
/// this folder, and snapshots need no more (`PointIndexTests`).
struct Cell {
    /// The most westerly longitude and the most southerly latitude.
    let west: Int32
    let south: Int32

    /// The number of splits below the root.
    let depth: Int

    static let root = Cell(west: .min, south: .min, depth: 0)

    /// A cell of depth d has 2³²⁻ᵈ coordinates to a side: 2⁶ = 64 at the deepest.
    static let mostDepth = 26

    /// The least and the greatest coordinate in a quadrant, along one axis.
    @inline(__always)
    static func half(_ least: Int32, depth: Int, upper: Bool) -> (least: Int32, most: Int32) {
        let side = UInt32(1) << (31 &- UInt32(truncatingIfNeeded: depth))
        let start = upper ? least &+ Int32(bitPattern: side) : least
        return (start, start &+ Int32(bitPattern: side &- 1))
    }

    /// The cell of a quadrant.
    @inline(__always)
    func quadrant(_ quadrant: Int) -> Cell {
        Cell(
            west: Self.half(west, depth: depth, upper: quadrant & 1 != 0).least,
            south: Self.half(south, depth: depth, upper: quadrant & 2 != 0).least,
            depth: depth &+ 1
        )
    }

    /// The quadrant of a point in its cell of a given depth.
    @inline(__always)
    static func quadrant(_ latitude: Int32, _ longitude: Int32, depth: Int) -> Int {
        let shift = 31 &- UInt32(truncatingIfNeeded: depth)
        // Two's complement orders negative numbers after the positive ones; flipping the sign bit puts them
        // first.
        let east = (UInt32(bitPattern: longitude) ^ 0x8000_0000) &>> shift & 1
        let north = (UInt32(bitPattern: latitude) ^ 0x8000_0000) &>> shift & 1
        return Int(north &<< 1 | east)
    }

    /// The number of splits below the root at which two points still share a cell.
    @inline(__always)
    static func depthInCommon(_ latitudes: (Int32, Int32), _ longitudes: (Int32, Int32)) -> Int {
        ((latitudes.0 ^ latitudes.1) | (longitudes.0 ^ longitudes.1)).leadingZeroBitCount
    }
}
