import YonderGeodesy
import YonderHub
import YonderTracks

/// Positions of a recorded track, each when it is due.
///
/// Unlike a receiver's, none is left out: the next is waited for only once the last was taken.
///
/// `Demo` and `Share` play tracks with it. Nothing fails; it ends with the track, or when nobody takes positions any
/// more. That none is left out must stay: a file that is shared arrives whole.
enum Playback {
    /// Plays a track from now on.
    static func positions(of replay: TrackReplay) -> AsyncStream<Position> {
        let clock = ContinuousClock()
        let player = Player(start: clock.now, beginning: .now)
        return AsyncStream {
            guard let fix = player.next(of: replay) else { return nil }
            do {
                try await clock.sleep(until: player.start + fix.elapsed)
            } catch {
                return nil
            }
            return fix.position(startingAt: player.beginning)
        }
    }

    /// How far a replay is.
    private final class Player: @unchecked Sendable {
        // Safe because the stream asks for one position at a time.
        private var elapsed = Duration.seconds(-1)
        let start: ContinuousClock.Instant
        let beginning: Timestamp

        init(start: ContinuousClock.Instant, beginning: Timestamp) {
            self.start = start
            self.beginning = beginning
        }

        func next(of replay: TrackReplay) -> TrackReplay.Fix? {
            let fix = replay.next(after: elapsed)
            if let fix { elapsed = fix.elapsed }
            return fix
        }
    }
}
