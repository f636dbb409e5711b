// Reads a recorded track, and measures it.

import YonderGeodesy
import YonderTracks

// snippet.read
/// The length of a GPX file's tracks, all segments in a row.
func length(ofTracks bytes: [UInt8]) throws(TrackFileFailure) -> Distance {
    let positions = try GPXDocument(reading: bytes).tracks.flatMap(\.positions)
    return zip(positions, positions.dropFirst()).reduce(.zero) { length, step in
        length + step.0.coordinate.distance(to: step.1.coordinate)
    }
}
// snippet.end
