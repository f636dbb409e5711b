/// How long chat gates wait for missing numbers before these are read: three times the usual lateness of frames, in 15...500
/// ms; 500 ms on a node that is alone, which has no frames.
package struct HoldTime: Hashable, Sendable {
    /// The shortest and the longest wait, in milliseconds.
    private static let range = 15.0...500.0

    /// The usual time from a frame's publication to its arrival, in milliseconds: each frame counts for a sixteenth.
    private var lateness = 0.0

    /// Creates the time for a node with others, or for one that is alone.
    package init(isAlone: Bool = false) {
        if isAlone { lateness = Self.range.upperBound }
    }

    /// Receives how late a frame was by the nodes' clocks, in milliseconds; less than 0 counts as 0.
    package mutating func note(lateness milliseconds: Int64) {
        lateness += (Double(max(0, milliseconds)) - lateness) / 16
    }

    /// How long to wait.
    package var hold: Duration {
        .milliseconds(Int64(min(max(3 * lateness, Self.range.lowerBound), Self.range.upperBound)))
    }
}
