public import YonderGeodesy

/// A track played back: the position due at each time, at the recorded pace or a multiple of it.
///
/// It has no clock: the caller passes the time since the start.
///
/// `TrackSource` plays GPX and NMEA files with it, and the demo its walkers (`DemoRoute`): they ask for ``next(after:)``,
/// sleep, and send the fix. Nothing fails after the creation; without a loop ``next(after:)`` ends with `nil`. That due times
/// are exact multiples, so that a replay doesn't drift, must stay (`TrackReplayTests`); the range of speeds and the pause
/// between passes may change with the commands' help.
public struct TrackReplay: Hashable, Sendable {
    /// A recorded position with the time at which it is due.
    public struct Fix: Hashable, Sendable {
        /// The time after the start at which it is due.
        public let elapsed: Duration

        /// The position with its recorded time.
        public let position: Position

        /// The position with the time at which it is due, in a replay that began at `start`.
        public func position(startingAt start: Timestamp) -> Position {
            var position = position
            position.timestamp = start + elapsed
            return position
        }
    }

    /// The positions in order, each later than the one before.
    public let positions: [Position]

    /// The speed as a multiple of the recorded one.
    public let speed: Double

    /// Whether the track begins again after its end.
    public let isLooping: Bool

    /// The duration of one pass.
    ///
    /// In a loop it includes the pause before the next pass: the mean step, but at least a recorded second.
    public let duration: Duration

    /// The time at which each position is due, in microseconds after the start.
    private let dueTimes: [Int64]

    /// Creates the replay of recorded positions, leaving out each that isn't later than the ones before it.
    ///
    /// - Returns: `nil` if there are no positions, or if the speed lies outside `0.001...1_000_000`.
    public init?(_ positions: [Position], speed: Double = 1, isLooping: Bool = false) {
        guard let first = positions.first, (0.001...1_000_000).contains(speed) else { return nil }
        var increasing = [first]
        for position in positions where position.timestamp > increasing[increasing.count - 1].timestamp {
            increasing.append(position)
        }
        let dueTimes = increasing.map { Self.microseconds($0.timestamp - first.timestamp, speed: speed) }
        let last = dueTimes[dueTimes.count - 1]
        let meanStep = dueTimes.count > 1 ? last / Int64(dueTimes.count - 1) : 0
        let pause = isLooping ? max(meanStep, Self.microseconds(.seconds(1), speed: speed)) : 0
        self.positions = increasing
        self.speed = speed
        self.isLooping = isLooping
        self.dueTimes = dueTimes
        duration = .microseconds(last + pause)
    }

    /// Creates the replay of a track's positions, its segments one after another.
    ///
    /// - Returns: `nil` if no point has a time, or if the speed lies outside `0.001...1_000_000`.
    public init?(_ track: Track, speed: Double = 1, isLooping: Bool = false) {
        self.init(track.positions, speed: speed, isLooping: isLooping)
    }

    /// The latest fix due at a time since the start, or `nil` before the start; takes log n steps.
    public func fix(at elapsed: Duration) -> Fix? {
        guard elapsed >= .zero else { return nil }
        let (lap, time) = lap(of: elapsed)
        let index = firstIndex(after: time) - 1
        return fix(index, lap: lap)
    }

    /// The next fix due after a time, or `nil` if there is none; takes log n steps.
    ///
    /// The first one is due at zero: pass a negative time to get it.
    public func next(after elapsed: Duration) -> Fix? {
        guard elapsed >= .zero else { return fix(0, lap: 0) }
        let (lap, time) = lap(of: elapsed)
        let index = firstIndex(after: time)
        if index < positions.count { return fix(index, lap: lap) }
        return isLooping ? fix(0, lap: lap + 1) : nil
    }

    private func fix(_ index: Int, lap: Int128) -> Fix {
        Fix(elapsed: .microseconds(dueTimes[index]) + duration * lap, position: positions[index])
    }

    /// The number of passes completed by then, and the microseconds since.
    private func lap(of elapsed: Duration) -> (lap: Int128, microseconds: Int128) {
        let attosecondsPerMicrosecond = Int128(1_000_000_000_000)
        guard isLooping else { return (0, elapsed.attoseconds / attosecondsPerMicrosecond) }
        let (lap, rest) = elapsed.attoseconds.quotientAndRemainder(dividingBy: duration.attoseconds)
        return (lap, rest / attosecondsPerMicrosecond)
    }

    private func firstIndex(after time: Int128) -> Int {
        var range = 0..<dueTimes.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range =
                Int128(dueTimes[middle]) > time ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return range.lowerBound
    }

    /// A duration played at a speed, in whole microseconds; at most some sixty thousand years.
    private static func microseconds(_ duration: Duration, speed: Double) -> Int64 {
        let (seconds, attoseconds) = duration.components
        let microseconds = (Double(seconds) * 1e6 + Double(attoseconds) / 1e12) / speed
        return Int64(min(microseconds, 2e18).rounded())
    }
}
