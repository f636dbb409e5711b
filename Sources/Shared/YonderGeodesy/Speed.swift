/// A speed over ground.
///
/// Sources make it of a receiver's or Core Location's number, and positions carry it. A number from outside goes through
/// ``init(metersPerSecond:)``, whose `nil` leaves the value out; a literal that is negative or infinite traps. On the wire it
/// is meters per second (`Message+Position.swift`, `PositionTests`).
public struct Speed: Hashable, Sendable {
    /// Meters per second, always finite and never negative.
    public let metersPerSecond: Double

    /// Creates a speed from a number of unknown origin.
    ///
    /// - Returns: `nil` if the number isn't finite or is negative.
    public init?(metersPerSecond: Double) {
        guard metersPerSecond.isFinite, metersPerSecond >= 0 else { return nil }
        self.metersPerSecond = metersPerSecond
    }

    private init(valid metersPerSecond: Double) {
        precondition(metersPerSecond.isFinite && metersPerSecond >= 0, "A speed is finite and not negative.")
        self.metersPerSecond = metersPerSecond
    }

    /// A speed in meters per second, which must be finite and not negative.
    public static func metersPerSecond(_ metersPerSecond: Double) -> Speed {
        Speed(valid: metersPerSecond)
    }

    /// A speed in kilometers per hour, which must be finite and not negative.
    public static func kilometersPerHour(_ kilometersPerHour: Double) -> Speed {
        Speed(valid: kilometersPerHour / 3.6)
    }

    /// Kilometers per hour.
    public var kilometersPerHour: Double {
        metersPerSecond * 3.6
    }
}

extension Speed: Comparable {
    /// Whether the left speed is less than the right one.
    public static func < (left: Speed, right: Speed) -> Bool {
        left.metersPerSecond < right.metersPerSecond
    }
}

extension Speed: CustomStringConvertible {
    /// The meters per second with their unit.
    public var description: String {
        "\(metersPerSecond) m/s"
    }
}
