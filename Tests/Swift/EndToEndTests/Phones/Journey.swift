import Foundation
import Testing
import TestSupport
import YonderGeodesy
import YonderTracks

/// Where a phone is in each second: a recorded walk, at its own pace or another one.
struct Journey: Sendable {
    private let points: [(time: Double, coordinate: Coordinate, altitude: Double)]
    private let pace: Pace

    /// How a phone moves.
    enum Pace: Sendable {
        /// It lies where the recording begins.
        case rest
        /// As recorded, from so many seconds after its beginning.
        case recorded(from: Double)
        /// Along the recorded way and back, at so many meters per second.
        case driven(Double)
    }

    init(_ pace: Pace) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/tracks/cerknicko-jezero.gpx")
        let document = try GPXDocument(reading: Array(Data(contentsOf: file)))
        let recorded = document.tracks.flatMap { $0.segments.joined() }
        let start = try #require(recorded.first?.timestamp)
        var points: [(Double, Coordinate, Double)] = []
        var driven = 0.0
        for point in recorded {
            guard let time = point.timestamp else { continue }
            if case .driven(let speed) = pace, let last = points.last {
                driven += last.1.distance(to: point.coordinate).meters / speed
            }
            let walked = Double((time - start) / .milliseconds(1)) / 1000
            let second = if case .driven = pace { driven } else { walked }
            points.append((second, point.coordinate, point.altitude?.meters ?? 0))
        }
        self.points = points.map { (time: $0.0, coordinate: $0.1, altitude: $0.2) }
        self.pace = pace
    }

    /// The fix of a second, with every field that an iPhone gives, at full precision.
    func fix(at second: Int, _ now: Timestamp, _ random: inout SeededGenerator) -> Position {
        let here = place(at: Double(second))
        let next = place(at: Double(second) + 1)
        let moved = here.coordinate.distance(to: next.coordinate).meters
        let noise = Double.random(in: 0...3, using: &random)
        let bearing = Bearing(degrees: Double.random(in: 0..<360, using: &random)) ?? .north
        return Position(
            coordinate: here.coordinate.destination(bearing: bearing, distance: .meters(noise)),
            timestamp: now,
            altitude: Distance(meters: here.altitude + noise),
            horizontalAccuracy: .meters(4 + noise),
            verticalAccuracy: .meters(3 + noise / 2),
            course: moved > 0.3 ? here.coordinate.initialBearing(to: next.coordinate) : nil,
            speed: Speed(metersPerSecond: moved)
        )
    }

    private func place(at second: Double) -> (coordinate: Coordinate, altitude: Double) {
        let time = wrapped(second)
        let index = points.lastIndex { $0.time <= time } ?? 0
        let (from, to) = (points[index], points[min(index + 1, points.count - 1)])
        let fraction = to.time > from.time ? (time - from.time) / (to.time - from.time) : 0
        return (
            from.coordinate.interpolated(to: to.coordinate, fraction: fraction),
            from.altitude + (to.altitude - from.altitude) * fraction
        )
    }

    private func wrapped(_ second: Double) -> Double {
        switch pace {
        case .rest: return 0
        case .recorded(let from): return from + second
        case .driven:
            let length = points.last?.time ?? 0
            let phase = second.truncatingRemainder(dividingBy: 2 * length)
            return phase <= length ? phase : 2 * length - phase
        }
    }
}
