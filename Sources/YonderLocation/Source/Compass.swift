/// Where a device points to, in degrees; what a compass doesn't know is `nil`.
package struct HeadingReading: Hashable, Sendable {
    /// Degrees from magnetic north.
    package let magnetic: Double?

    /// Degrees from true north.
    package let `true`: Double?

    /// How far both are probably off, in degrees to either side.
    package let accuracy: Double?

    /// Takes over what a compass says; what is negative is absent.
    package init(magnetic: Double?, true: Double?, accuracy: Double?) {
        self.magnetic = magnetic.flatMap { $0 >= 0 ? $0 : nil }
        self.true = `true`.flatMap { $0 >= 0 ? $0 : nil }
        self.accuracy = accuracy.flatMap { $0 >= 0 ? $0 : nil }
    }
}

/// Which heading goes with the next position: one that became known after a position, and only while monitoring.
package struct Compass: Sendable {
    /// By how many degrees the device has to turn before a new heading is worth having.
    package static let filter = 1.0

    /// Whether positions are followed, not asked for once.
    package var isMonitoring = false

    private var hasPosition = false
    private var latest: HeadingReading?

    /// A compass that knows nothing yet.
    package init() {}

    /// The heading that goes with the next position.
    package var reading: HeadingReading? {
        isMonitoring ? latest : nil
    }

    /// The device was found.
    package mutating func findPosition() {
        hasPosition = true
    }

    /// The device was lost: what was known of its heading belongs to no position any more.
    package mutating func losePosition() {
        hasPosition = false
        latest = nil
    }

    /// The device turned.
    package mutating func turn(to reading: HeadingReading) {
        if hasPosition { latest = reading }
    }

    /// The compass is disturbed.
    package mutating func loseReading() {
        latest = nil
    }
}
