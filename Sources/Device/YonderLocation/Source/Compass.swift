/// The heading of a device in degrees; `nil` for values that the compass doesn't know.
package struct HeadingReading: Hashable, Sendable {
    /// Degrees from magnetic north.
    package let magnetic: Double?

    /// Degrees from true north.
    package let `true`: Double?

    /// The estimated error of both, in degrees to either side.
    package let accuracy: Double?

    /// Creates a reading from a compass's values; negative ones become absent.
    package init(magnetic: Double?, true: Double?, accuracy: Double?) {
        self.magnetic = magnetic.flatMap { $0 >= 0 ? $0 : nil }
        self.true = `true`.flatMap { $0 >= 0 ? $0 : nil }
        self.accuracy = accuracy.flatMap { $0 >= 0 ? $0 : nil }
    }
}

/// Selects the heading for the next position: one that became known after a position, and only while
/// monitoring.
///
/// `CoreLocationState` and `IONGLOCManagerWrapper` have one each, call it for every position, heading and failure, and attach
/// ``reading`` to the next position. Nothing fails. That a heading from before the first position isn't used must stay, as it
/// is promised (`Documentation/location-apps.md`, `make test-apple`). ``filter`` may change: it saves power, and a smaller
/// one gives more headings.
package struct Compass: Sendable {
    /// The angle in degrees by which the device must turn before a new heading is reported.
    package static let filter = 1.0

    /// Whether positions are monitored, and not requested singly.
    package var isMonitoring = false

    private var hasPosition = false
    private var latest: HeadingReading?

    /// Creates a compass without a reading.
    package init() {}

    /// The heading for the next position.
    package var reading: HeadingReading? {
        isMonitoring ? latest : nil
    }

    /// Call this when a position was found.
    package mutating func findPosition() {
        hasPosition = true
    }

    /// Call this when the position was lost: the last heading belongs to no position any more.
    package mutating func losePosition() {
        hasPosition = false
        latest = nil
    }

    /// Call this when the device has turned.
    package mutating func turn(to reading: HeadingReading) {
        if hasPosition { latest = reading }
    }

    /// Call this when the compass is disturbed.
    package mutating func loseReading() {
        latest = nil
    }
}
