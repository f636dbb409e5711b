import YonderGeodesy
import YonderModel

/// A square of the map at one of a few fixed levels, used to find the regions that may contain a point.
///
/// Level 0 has squares of 2¹⁶ units of 10⁻⁷ degrees, some 700 m to a side at the equator; each further
/// level's side is four times as long, up to 107°.
///
/// ``RegionInterest`` registers regions by it and looks up each event's cells. Nothing fails: longitudes that cross the
/// antimeridian make two parts. That every point of a region lies in one of its cells must stay (`RegionInterestTests`,
/// with random regions). Levels and ``mostForRegion`` may be changed.
struct InterestCell: Hashable, Sendable {
    // Level, column and row, 16 bits each.
    private let raw: UInt64

    /// How many levels there are.
    static let levels = 8

    /// The most cells that one region is registered in.
    static let mostForRegion = 16

    private static let shiftOfFirstLevel = 16

    @inline(__always)
    init(level: Int, column: UInt32, row: UInt32) {
        raw = UInt64(truncatingIfNeeded: level) &<< 32 | UInt64(column) &<< 16 | UInt64(row)
    }

    /// The cell of a level that contains a point.
    @inline(__always)
    init(_ coordinate: Coordinate.Rounded, level: Int) {
        self.init(
            level: level,
            column: Self.number(of: coordinate.longitude, level: level),
            row: Self.number(of: coordinate.latitude, level: level)
        )
    }

    @inline(__always)
    static func == (one: InterestCell, other: InterestCell) -> Bool { one.raw == other.raw }

    func hash(into hasher: inout Hasher) { hasher.combine(raw) }

    /// The number of a column or a row, counted from the west or the south.
    @inline(__always)
    private static func number(of edge: Int32, level: Int) -> UInt32 {
        // Two's complement orders negative numbers after the positive ones; flipping the sign bit puts them
        // first.
        (UInt32(bitPattern: edge) ^ 0x8000_0000)
            &>> UInt32(truncatingIfNeeded: shiftOfFirstLevel &+ 2 &* level)
    }

    /// The cells that a region touches, at the finest level where there are at most ``mostForRegion`` of
    /// them.
    ///
    /// Such a level always exists: at the coarsest one, the whole Earth is 4 columns and 2 rows.
    static func covering(_ region: Region) -> (level: Int, cells: [InterestCell]) {
        let parts = region.parts
        let level = (0..<levels - 1).first { level in
            parts.reduce(0) { $0 + count($1, level: level) } <= mostForRegion
        }
        let chosen = level ?? levels - 1
        return (chosen, cells(of: parts, level: chosen))
    }

    private static func count(_ part: Region, level: Int) -> Int {
        columns(part, level).count * rows(part, level).count
    }

    private static func columns(_ part: Region, _ level: Int) -> ClosedRange<UInt32> {
        number(of: part.westEdge, level: level)...number(of: part.eastEdge, level: level)
    }

    private static func rows(_ part: Region, _ level: Int) -> ClosedRange<UInt32> {
        number(of: part.southEdge, level: level)...number(of: part.northEdge, level: level)
    }

    /// Lists each cell once, although the two parts of a region around the Earth may share one.
    private static func cells(of parts: [Region], level: Int) -> [InterestCell] {
        var cells: [InterestCell] = []
        for part in parts {
            for column in columns(part, level) {
                for row in rows(part, level) {
                    let cell = InterestCell(level: level, column: column, row: row)
                    if !cells.contains(cell) { cells.append(cell) }
                }
            }
        }
        return cells
    }
}
