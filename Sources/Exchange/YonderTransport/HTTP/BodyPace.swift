package import NIOCore

/// Whether a request's body comes fast enough.
///
/// A body has ten seconds, and as long again as its size takes at the least rate, that of the largest that the server
/// takes where it says no size or a larger one. Each ten seconds must bring a tenth of the least rate, or what is left.
/// Time in which the server itself didn't read isn't counted.
///
/// `IncomingBody` makes one for each body that doesn't come with its head, and looks at the times that it names. A
/// value; when ``look(at:isAwaited:)`` returns `false`, the connection is closed. Rates and times are settings, and
/// promised in `Documentation/rest.md` and `configuration.md` (`BodyPaceTests`).
package struct BodyPace {
    /// The limits.
    package struct Settings: Hashable, Sendable {
        /// The time that every body has, and the time between two looks.
        package var grace: TimeAmount = .seconds(10)

        /// The least rate, in bytes a second; 0 for none.
        package var bytesPerSecond = 10_000

        /// The size by which a body's time is computed that says no size: that of the largest import, in bytes.
        package var largest = 256 << 20

        package init() {}
    }

    private let settings: Settings

    /// The bytes that are still to come; `nil` if that isn't known.
    private var remaining: Int?

    /// When the whole body must have come.
    private var deadline: NIODeadline

    /// When to look next.
    private(set) var nextLook: NIODeadline

    /// The bytes that came since the last look.
    private var recent = 0

    /// Creates the pace of a body that begins now, of `length` bytes or of unknown length.
    init(_ settings: Settings, length: Int?, at now: NIODeadline) {
        self.settings = settings
        remaining = length
        let size = min(length ?? settings.largest, settings.largest)
        let seconds = Int64(size / max(1, settings.bytesPerSecond))
        deadline = now + settings.grace + .seconds(seconds)
        nextLook = now + settings.grace
    }

    /// Receives bytes of the body.
    mutating func received(_ count: Int) {
        recent += count
        remaining = remaining.map { max(0, $0 - count) }
    }

    /// Looks at the pace; call it at ``nextLook``.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - isAwaited: Whether the server is waiting for the client; `false` while the server doesn't read.
    /// - Returns: Whether the body may go on.
    mutating func look(at now: NIODeadline, isAwaited: Bool) -> Bool {
        let least = settings.bytesPerSecond / 10 * Int(settings.grace.nanoseconds / 1_000_000_000)
        let isSlow = recent < min(least, remaining ?? least)
        recent = 0
        nextLook = now + settings.grace
        guard settings.bytesPerSecond > 0 else { return true }
        guard isAwaited else {
            deadline = deadline + settings.grace
            return true
        }
        guard now < deadline, !isSlow else { return false }
        nextLook = min(nextLook, deadline)
        return true
    }
}
