#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A tile of the square Mercator world: a zoom level, a column from the west and a row from the north.
///
/// Endpoints and maps make one of a request or a place; `PMTilesArchive` looks up its number. Outside of the square or
/// beyond ``maximumZoom`` there is none. The number along the Hilbert curve is PMTiles version 3's and must stay
/// (`PMTilesArchiveTests`, with the numbers of the specification's own implementation).
package struct TileCoordinate: Hashable, Sendable {
    /// The deepest zoom that has a number in an archive.
    package static let maximumZoom = 26

    /// 0 is the whole world in one tile; each further zoom quarters its tiles.
    package let zoom: Int

    /// The column, in `0..<(1 << zoom)`.
    package let x: Int

    /// The row, in `0..<(1 << zoom)`.
    package let y: Int

    /// Creates a coordinate.
    ///
    /// - Returns: `nil` if there is no such tile.
    package init?(zoom: Int, x: Int, y: Int) {
        guard (0...Self.maximumZoom).contains(zoom) else { return nil }
        let side = 1 << zoom
        guard (0..<side).contains(x), (0..<side).contains(y) else { return nil }
        self.zoom = zoom
        self.x = x
        self.y = y
    }

    /// The tile of a zoom that a place is in, on the Mercator square.
    ///
    /// - Returns: `nil` if there is no such zoom, or the degrees aren't numbers.
    package init?(zoom: Int, longitude: Double, latitude: Double) {
        guard (0...Self.maximumZoom).contains(zoom), longitude.isFinite, latitude.isFinite else { return nil }
        let side = Double(1 << zoom)
        let sine = sin(max(-85.0511, min(85.0511, latitude)) / 180 * .pi)
        let column = (longitude + 180) / 360 * side
        let row = (0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)) * side
        let last = (1 << zoom) - 1
        self.zoom = zoom
        x = min(last, max(0, Int(column.rounded(.down))))
        y = min(last, max(0, Int(row.rounded(.down))))
    }

    /// The tile's number in a PMTiles archive: all tiles of smaller zooms, then the place on this zoom's Hilbert
    /// curve.
    ///
    /// The curve is the one of "Hilbert curve" in Wikipedia, `xy2d`, which the PMTiles specification, version 3,
    /// refers to.
    package var archiveNumber: UInt64 {
        let tilesBefore = ((UInt64(1) << (2 * UInt64(zoom))) - 1) / 3
        var column = x
        var row = y
        var distance: UInt64 = 0
        var square = (1 << zoom) >> 1
        while square > 0 {
            let east = column & square != 0
            let south = row & square != 0
            distance += UInt64(square) * UInt64(square) * ((east ? 3 : 0) ^ (south ? 1 : 0))
            if !south {
                if east {
                    column = square - 1 - (column & (square - 1))
                    row = square - 1 - (row & (square - 1))
                }
                (column, row) = (row, column)
            }
            square >>= 1
        }
        return tilesBefore + distance
    }
}
