import Testing
import TestSupport
import YonderGeodesy

@Suite struct TimedPolylineTests {
    private static let minute = Duration.seconds(60)

    /// Points at minutes, so many meters east of one place.
    private func path(_ points: [(minute: Double, meters: Double)]) throws -> TimedPolyline {
        let start = try #require(Coordinate(latitude: 47, longitude: 9.5))
        return TimedPolyline(
            points.map { point in
                (
                    Timestamp(milliseconds: Int64(point.minute * 60_000)),
                    start.destination(bearing: .east, distance: .meters(point.meters))
                )
            }
        )
    }

    private func kept(_ points: [(minute: Double, meters: Double)], tolerance: Distance) throws -> [Int] {
        try path(points).keptIndices(tolerance: tolerance, longestGap: .seconds(86_400), limit: .max).indices
    }

    @Test func `one speed on a straight road keeps the two ends`() throws {
        let points = (0...60).map { (Double($0) / 60, Double($0) * 14) }
        #expect(try kept(points, tolerance: .meters(1)) == [0, 60])
    }

    @Test func `a stop on a straight road keeps its beginning and its end`() throws {
        // 80 meters a minute, a quarter of an hour in one place, and on.
        let way = (0...50).map { minute -> (Double, Double) in
            let walked = minute - min(15, max(0, minute - 20))
            return (Double(minute), Double(walked) * 80)
        }
        #expect(try kept(way, tolerance: .meters(5)) == [0, 20, 35, 50])
    }

    @Test func `no coordinate left out is farther than the deviation from the path at its time`() throws {
        for seed in UInt64(0)..<20 {
            var random = SeededGenerator(seed: seed)
            var (minute, meters) = (0.0, 0.0)
            let points = (0..<300).map { _ -> (minute: Double, meters: Double) in
                minute += .random(in: 0...2, using: &random)
                meters += .random(in: -30...90, using: &random)
                return (minute, meters)
            }
            let path = try path(points)
            let limit = Int.random(in: 2...80, using: &random)
            let simple = path.keptIndices(tolerance: .meters(40), longestGap: .seconds(600), limit: limit)
            #expect(simple.indices.first == 0 && simple.indices.last == 299)
            #expect(simple.indices.count <= limit)
            for (from, to) in zip(simple.indices, simple.indices.dropFirst()) {
                for index in from...to {
                    let span = Double((path.times[to] - path.times[from]) / .milliseconds(1))
                    let share =
                        span > 0
                        ? Double((path.times[index] - path.times[from]) / .milliseconds(1)) / span : 0
                    let place = path.coordinates[from].interpolated(to: path.coordinates[to], fraction: share)
                    let distance = place.distance(to: path.coordinates[index])
                    #expect(distance <= simple.deviation + .meters(0.001), "seed \(seed), \(index)")
                }
            }
        }
    }

    @Test
    func `a long way at one speed keeps a coordinate within the longest gap, and both ends of a silence`()
        throws
    {
        let before = (0...60).map { (Double($0), Double($0) * 1_000) }
        let after = (80...120).map { (Double($0), Double($0) * 1_000) }
        let path = try path(before + after)
        let simple = path.keptIndices(tolerance: .meters(5), longestGap: Self.minute * 5, limit: .max)
        let gaps = zip(simple.indices, simple.indices.dropFirst()).filter { from, to in
            path.times[to] - path.times[from] > Self.minute * 5
        }
        #expect(gaps.map(\.0) == [60] && gaps.map(\.1) == [61])
        #expect(simple.indices.count < 50)
    }

    @Test func `with a limit the coordinates that matter most are kept, and the deviation is stated`() throws
    {
        var random = SeededGenerator(seed: 7)
        let points = (0..<500).map { step in
            let shift = Double.random(in: 0...100, using: &random)
            return (minute: Double(step), meters: Double(step) * 10 + shift)
        }
        let path = try path(points)
        let day = Self.minute * 1_440
        let all = path.keptIndices(tolerance: .meters(20), longestGap: day, limit: .max)
        #expect(all.deviation <= .meters(20) && all.indices.count > 50)
        let few = path.keptIndices(tolerance: .meters(20), longestGap: day, limit: 50)
        #expect(few.indices.count == 50 && few.deviation > .meters(20))
        let line = try self.path([(0, 0), (1, 0)])
        #expect(line.keptIndices(tolerance: .zero, longestGap: .zero, limit: 2).indices == [0, 1])
    }

    @Test func `positions of one moment are compared with the first of them`() throws {
        #expect(try kept([(0, 0), (0, 50), (0, 0)], tolerance: .meters(10)) == [0, 1, 2])
    }
}
