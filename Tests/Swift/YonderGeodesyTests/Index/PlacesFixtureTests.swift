import Foundation
import Testing
import YonderGeodesy

/// 100 000 points whose answers another program found: see `Tests/Fixtures/places`.
@Suite struct PlacesFixtureTests {
    private let points: [Coordinate.Rounded]
    private let snapshot: PointSnapshot

    init() throws {
        var reader = try FixtureReader("points.bin")
        var points: [Coordinate.Rounded] = []
        while !reader.isAtEnd { points.append(reader.coordinate()) }
        var index = PointIndex()
        index.load(points.enumerated().map { .init(id: UInt32($0.offset), coordinate: $0.element) })
        self.points = points
        snapshot = index.snapshot()
    }

    @Test func `ten thousand regions have the points that they should`() throws {
        #expect(snapshot.index.count == 100_000)
        #expect(snapshot.index.check() == [])
        var reader = try FixtureReader("boxes.bin")
        var regions = 0
        while !reader.isAtEnd {
            let (west, south): (Int32, Int32) = (reader.number(), reader.number())
            let (east, north): (Int32, Int32) = (reader.number(), reader.number())
            let region = try #require(
                Region(westEdge: west, southEdge: south, eastEdge: east, northEdge: north)
            )
            let total = Int(reader.number() as UInt32)
            let checksum: UInt64 = reader.number()
            let few = snapshot.index.region(region, limit: 300)
            #expect(few.total == total && few.ids.count == min(300, total), "\(region)")
            regions += 1
            if regions % 20 != 0 { continue }
            let all = snapshot.index.region(region, limit: .max)
            #expect(all.total == total && all.ids.count == total, "\(region)")
            #expect(Self.checksum(all.ids.sorted()) == checksum, "\(region)")
        }
        #expect(regions == 10_000)
    }

    @Test func `the ten nearest are as far as they should be`() throws {
        var reader = try FixtureReader("nearest.bin")
        var questions = 0
        while !reader.isAtEnd {
            let center = Coordinate(reader.coordinate())
            let reach = Distance.meters(reader.number())
            let distances = (0..<Int(reader.number() as UInt32)).map { _ in reader.number() as Double }
            let found = snapshot.index.nearest(10, to: center, within: reach)
            let isRight =
                found.count == distances.count
                && zip(found, distances).allSatisfy { abs($0.distance.meters - $1) < 0.0002 }
            #expect(isRight, "\(center) \(reach)")
            for neighbor in found {
                let own = center.distance(to: Coordinate(points[Int(neighbor.id)]))
                #expect((own - neighbor.distance).magnitude < .meters(0.0001))
            }
            questions += 1
        }
        #expect(questions == 1000)
    }

    private static func checksum(_ ids: [UInt32]) -> UInt64 {
        var value: UInt64 = 0xcbf2_9ce4_8422_2325
        for id in ids {
            for shift in stride(from: UInt32(0), to: 32, by: 8) {
                value = (value ^ UInt64(id >> shift & 255)) &* 0x100_0000_01b3
            }
        }
        return value
    }
}

/// Reads little-endian numbers.
private struct FixtureReader {
    private let bytes: Data
    private var offset = 0

    init(_ name: String) throws {
        // Links lead here from other packages, so the folder is looked for upward.
        var folder = URL(filePath: #filePath).deletingLastPathComponent()
        while !FileManager.default.fileExists(atPath: folder.appending(path: "Fixtures/places").path) {
            try #require(folder.pathComponents.count > 1, "Tests/Fixtures/places is missing")
            folder.deleteLastPathComponent()
        }
        bytes = try Data(contentsOf: folder.appending(path: "Fixtures/places/\(name)"))
    }

    var isAtEnd: Bool { offset >= bytes.count }

    mutating func number<Number>() -> Number {
        defer { offset += MemoryLayout<Number>.size }
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Number.self) }
    }

    mutating func coordinate() -> Coordinate.Rounded {
        let (latitude, longitude): (Int32, Int32) = (number(), number())
        return PlaceDice.rounded(latitude, longitude)
    }
}
