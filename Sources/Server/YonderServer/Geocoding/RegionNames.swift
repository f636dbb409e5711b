package import YonderGeodesy
package import YonderModel

/// The villages and streets of a region, in memory: a file as Scripts/build-region makes it.
///
/// A line each, its fields with tabs between: a kind of settlement, name, people, latitude, longitude; or `street`, name,
/// encoded polyline of five digits. Lines that begin with `#` and lines that can't be read are skipped.
///
/// `ServerProcess` reads the files of `--place-names` at the start, and the demo's region; `PlaceNaming` asks for a name
/// at each request. Never throws: outside of all streets and settlements there is no name, a damaged file has fewer
/// places. Immutable, so any thread may ask.
///
/// The format of a line must stay that of `Scripts/build-region`; the two reaches and the byte limit may be changed
/// (`PlaceNameTests`).
package struct RegionNames: Sendable {
    /// A village, a town or a part of one.
    package struct Settlement: Hashable, Sendable {
        /// Its name.
        package let name: String

        /// Whether it is a part of a town, which names nothing by itself.
        package let isPart: Bool

        /// Its middle.
        package let coordinate: Coordinate
    }

    /// A piece of a street.
    private struct Street: Sendable {
        let name: String
        let coordinates: [Coordinate]
    }

    /// A square of a hundredth of a degree.
    private struct Cell: Hashable {
        let row: Int32
        let column: Int32

        init(_ coordinate: Coordinate, north: Int32 = 0, east: Int32 = 0) {
            row = Int32((coordinate.latitude * 100).rounded(.down)) + north
            column = Int32((coordinate.longitude * 100).rounded(.down)) + east
        }
    }

    /// The most bytes a file may have.
    package static let limit = 64 << 20

    /// How far from a street one is in it.
    private static let streetReach = Distance.meters(60)

    /// How far from a settlement's middle one is in it.
    private static let settlementReach = Distance.kilometers(6)

    /// The settlements, in the order of the file.
    package let settlements: [Settlement]

    private let streets: [Street]
    private let cells: [Cell: [Int32]]

    /// The demo's region, or `nil` if the program was compiled without it.
    package static func embedded() -> RegionNames? {
        EmbeddedFile.bytes("region/liechtenstein.tsv").map { RegionNames($0) }
    }

    /// Reads a file's bytes.
    package init(_ bytes: [UInt8]) {
        var settlements: [Settlement] = []
        var streets: [Street] = []
        for line in bytes.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
            let fields = line.split(separator: 9, omittingEmptySubsequences: false).map {
                String(decoding: $0, as: UTF8.self)
            }
            if fields.count == 3, fields[0] == "street", let street = Self.street(fields) {
                streets.append(street)
            } else if fields.count == 5, let settlement = Self.settlement(fields) {
                settlements.append(settlement)
            }
        }
        self.settlements = settlements
        self.streets = streets
        cells = Self.cells(of: streets)
    }

    /// The street at a place and the settlement that it belongs to; a part of them where there is no more.
    ///
    /// Without `withStreets` the street is left out. Looks at the streets of nine squares of a hundredth of a degree.
    package func name(at coordinate: Coordinate, withStreets: Bool) -> PlaceName? {
        let settlement = settlement(near: coordinate)
        let street = withStreets ? street(near: coordinate) : nil
        if let street {
            return PlaceName(street: street.name, settlement: settlement?.name, distance: street.distance)
        }
        guard let settlement, settlement.distance < Self.settlementReach else { return nil }
        return PlaceName(street: nil, settlement: settlement.name, distance: settlement.distance)
    }

    private func settlement(near coordinate: Coordinate) -> (name: String, distance: Distance)? {
        settlements.lazy.filter { !$0.isPart }
            .map { ($0.name, $0.coordinate.distance(to: coordinate)) }
            .filter { $0.1 < Self.settlementReach }
            .min { $0.1 < $1.1 }
    }

    private func street(near coordinate: Coordinate) -> (name: String, distance: Distance)? {
        var best: (name: String, distance: Distance)?
        for north in Int32(-1)...1 {
            for east in Int32(-1)...1 {
                for index in cells[Cell(coordinate, north: north, east: east)] ?? [] {
                    let street = streets[Int(index)]
                    let distance = Self.distance(coordinate, street.coordinates)
                    if distance < best?.distance ?? Self.streetReach { best = (street.name, distance) }
                }
            }
        }
        return best
    }

    /// How far a place is from a line, on a plane that touches the Earth there.
    private static func distance(_ place: Coordinate, _ line: [Coordinate]) -> Distance {
        let north = Coordinate.earthRadius.meters * .pi / 180
        let east = north * cosine(place.latitude)
        let points = line.map {
            (x: ($0.longitude - place.longitude) * east, y: ($0.latitude - place.latitude) * north)
        }
        var best = Double.infinity
        for (a, b) in zip(points, points.dropFirst()) {
            let (dx, dy) = (b.x - a.x, b.y - a.y)
            let square = dx * dx + dy * dy
            let part = square > 0 ? min(1, max(0, -(a.x * dx + a.y * dy) / square)) : 0
            let (x, y) = (a.x + part * dx, a.y + part * dy)
            best = min(best, x * x + y * y)
        }
        return .meters(best.squareRoot())
    }

    private static func cosine(_ degrees: Double) -> Double {
        // A street is within 0.02 degrees: the distance to a point due east, against that due north.
        guard let a = Coordinate(latitude: degrees, longitude: 0),
            let b = Coordinate(latitude: degrees, longitude: 0.01)
        else { return 1 }
        return a.distance(to: b).meters / (Coordinate.earthRadius.meters * .pi / 180 * 0.01)
    }

    private static func street(_ fields: [String]) -> Street? {
        let line = EncodedPolyline(text: fields[2])
        guard let coordinates = try? line.coordinates(), coordinates.count > 1, !fields[1].isEmpty else {
            return nil
        }
        return Street(name: fields[1], coordinates: coordinates)
    }

    private static func settlement(_ fields: [String]) -> Settlement? {
        guard let latitude = Double(fields[3]), let longitude = Double(fields[4]), !fields[1].isEmpty,
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        return Settlement(name: fields[1], isPart: fields[0] == "suburb", coordinate: coordinate)
    }

    private static func cells(of streets: [Street]) -> [Cell: [Int32]] {
        var cells: [Cell: [Int32]] = [:]
        for (index, street) in streets.enumerated() {
            var touched: Set<Cell> = []
            for (from, to) in zip(street.coordinates, street.coordinates.dropFirst()) {
                // At most 500 m apart, which is less than a square; longer pieces are cut.
                let pieces = min(200, max(1, Int(from.distance(to: to).meters / 500)))
                for piece in 0...pieces {
                    touched.insert(Cell(from.interpolated(to: to, fraction: Double(piece) / Double(pieces))))
                }
            }
            for cell in touched { cells[cell, default: []].append(Int32(index)) }
        }
        return cells
    }
}
