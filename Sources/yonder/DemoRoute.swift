import YonderGeodesy
import YonderServer
import YonderTracks

/// A way that somebody of the demo walks, there and back again and again.
enum DemoRoute {
    /// The stretches of the recorded tracks whose times are good, longest first.
    static func all() -> [[Position]] {
        let documents = RecordedTrack.all().compactMap { track in
            do throws(TrackFileFailure) {
                return try GPXDocument(reading: track.bytes)
            } catch {
                return nil
            }
        }
        return documents.flatMap(\.tracks).flatMap(\.segments)
            .map { Track(segments: [$0]).positions }
            .filter(isLively)
            .sorted { $0.count > $1.count }
    }

    /// A replay that begins at a part of the way, in `0..<1`, and comes back by the same way.
    static func replay(_ positions: [Position], from part: Double, speed: Double) -> TrackReplay? {
        let skipped = Int(Double(positions.count) * part)
        let ahead = Array(positions.dropFirst(skipped))
        let path =
            ahead + ahead.dropLast().reversed() + positions.prefix(skipped).reversed()
            + positions.prefix(skipped)
        var clock = Timestamp(milliseconds: 0)
        var timed: [Position] = []
        for position in path {
            if let last = timed.last { clock = clock + pause(last, position) }
            var position = position
            position.timestamp = clock
            timed.append(position)
        }
        return TrackReplay(timed, speed: speed, isLooping: true)
    }

    /// How long a brisk walker takes, at least a second.
    private static func pause(_ from: Position, _ to: Position) -> Duration {
        .milliseconds(Int(max(1, from.coordinate.distance(to: to.coordinate).meters / 1.6) * 1_000))
    }

    private static func isLively(_ positions: [Position]) -> Bool {
        guard let first = positions.first, let last = positions.last, positions.count >= 40 else {
            return false
        }
        return first.timestamp.milliseconds > 0 && last.timestamp - first.timestamp > .seconds(60)
    }
}
