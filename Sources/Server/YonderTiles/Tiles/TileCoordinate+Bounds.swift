package import YonderGeodesy
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

// Web Mercator, by which maps are cut into squares: `TownTiles` and `MapSource` ask for edges and places in a tile.
// Plain functions; at the poles a latitude is cut. The formulas are those of every map program and must stay
// (`PlaceNameTests`, *a place is where its tile's edges say*).

extension TileCoordinate {
    /// The tile's edges in degrees.
    package var bounds: MapBounds? {
        let side = Double(1 << zoom)
        return MapBounds(
            west: Double(x) / side * 360 - 180,
            south: Self.latitude(Double(y + 1) / side),
            east: Double(x + 1) / side * 360 - 180,
            north: Self.latitude(Double(y) / side)
        )
    }

    /// The latitude of a part of the Mercator square's height, from the north.
    private static func latitude(_ part: Double) -> Double {
        atan(sinh(.pi * (1 - 2 * part))) / .pi * 180
    }
}

extension MapBounds {
    /// Where a place is in a tile of these edges, in units of its side.
    package func position(of coordinate: Coordinate, extent: Double) -> (x: Int, y: Int) {
        let top = Self.height(north)
        let down = (Self.height(coordinate.latitude) - top) / (Self.height(south) - top)
        let across = (coordinate.longitude - west) / (east - west)
        return (Int((across * extent).rounded()), Int((down * extent).rounded()))
    }

    private static func height(_ latitude: Double) -> Double {
        log(tan(.pi / 4 + latitude / 360 * .pi))
    }
}
