import YonderGeodesy
public import YonderLocation
import YonderTracks

// Recorded sentences as a source, for `ReceiverAddress` and apps. The whole recording is read at the creation, which alone
// throws; damaged sentences are skipped without a word. Dates come from the recording, and today's only where it has none;
// both must stay (`NMEASourceTests`, `ReceiverAddressTests`).
extension TrackSource {
    /// Creates a source that replays recorded sentences at the recorded pace.
    ///
    /// A position that isn't later than the ones before it is left out. If the sentences have times but never
    /// a date, today's date is used, as a replay happens now.
    ///
    /// - Parameters:
    ///   - bytes: The sentences; other data between them is skipped.
    ///   - speed: The speed as a multiple of the recorded one, in `0.001...1_000_000`.
    ///   - isLooping: Whether the replay begins again after its end.
    /// - Throws: ``LocationError`` with code `sourceUnreadable` if no position has a time, or if the speed is
    ///   out of range.
    public convenience init(
        readingNMEA bytes: [UInt8],
        speed: Double = 1,
        isLooping: Bool = false
    ) throws(LocationError) {
        var positions = Self.positions(in: bytes, reference: nil)
        if positions.isEmpty { positions = Self.positions(in: bytes, reference: Timestamp.timeOfDay()) }
        guard let replay = TrackReplay(positions, speed: speed, isLooping: isLooping) else {
            let reason =
                positions.isEmpty
                ? "The file has no NMEA sentence with a position and its time."
                : "speed must be in 0.001…1000000; it is \(speed)."
            throw LocationError(.sourceUnreadable, reason)
        }
        self.init(replay)
    }

    private static func positions(in bytes: [UInt8], reference: Timestamp?) -> [Position] {
        var reader = NMEAReader(reference: reference)
        var positions: [Position] = []
        let keep: (NMEAEpoch) -> Void = { if let position = $0.position { positions.append(position) } }
        reader.read(bytes, keep)
        reader.finish(keep)
        return positions
    }
}
