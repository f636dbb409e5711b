import YonderGeodesy
import YonderServer
import YonderTracks

/// A closed road that a person of the demo follows, round after round.
///
/// `Demo` reads the tracks that are compiled into the program, and gives each `DemoPerson` a replay. Without a track
/// there is no such person. The files in `Data/demo` may be changed, and ``step``, the meters between two positions;
/// nothing depends on them but screens and pictures.
struct DemoRoute: Sendable {
    /// The road's points.
    let coordinates: [Coordinate]

    /// A position follows after so many meters.
    private static let step = 8.0

    /// The tracks of the program's own, by name.
    static func all() -> [String: DemoRoute] {
        guard let bytes = EmbeddedFile.bytes("demo/walks.gpx") else { return [:] }
        do throws(TrackFileFailure) {
            let tracks = try GPXDocument(reading: bytes).tracks
            let named = tracks.compactMap { track in
                track.name.map { ($0, DemoRoute(coordinates: track.points.map(\.coordinate))) }
            }
            return Dictionary(named) { first, _ in first }
        } catch {
            return [:]
        }
    }

    /// A replay at a steady speed that begins at a part of the way, in `0..<1`; who doesn't move stays there.
    func replay(from part: Double, speed: Speed) -> TrackReplay? {
        let points = densified()
        let start = min(points.count - 1, Int(Double(points.count) * part))
        guard start >= 0 else { return nil }
        guard speed.metersPerSecond > 0 else { return resting(at: points[start]) }
        var clock = Timestamp(milliseconds: 0)
        var last: Coordinate?
        let positions = (points[start...] + points[..<start]).map { coordinate in
            let way = last.map { $0.distance(to: coordinate) } ?? .zero
            clock = clock + .milliseconds(Int(way.meters / speed.metersPerSecond * 1_000))
            let course = last.map { $0.initialBearing(to: coordinate) }
            last = coordinate
            return Position(
                coordinate: coordinate,
                timestamp: clock,
                horizontalAccuracy: .meters(8),
                course: course,
                speed: speed
            )
        }
        return TrackReplay(positions, isLooping: true)
    }

    private func resting(at coordinate: Coordinate) -> TrackReplay? {
        let positions = [Duration.zero, .seconds(60)].map { elapsed in
            Position(
                coordinate: coordinate,
                timestamp: Timestamp(milliseconds: 0) + elapsed,
                horizontalAccuracy: .meters(12),
                speed: .metersPerSecond(0)
            )
        }
        return TrackReplay(positions, isLooping: true)
    }

    /// The points with others between them, none farther than a step from the last.
    private func densified() -> [Coordinate] {
        var points = Array(coordinates.prefix(1))
        for (from, to) in zip(coordinates, coordinates.dropFirst()) {
            let pieces = max(1, Int((from.distance(to: to).meters / Self.step).rounded(.up)))
            points += (1...pieces).map { from.interpolated(to: to, fraction: Double($0) / Double(pieces)) }
        }
        return points
    }
}
