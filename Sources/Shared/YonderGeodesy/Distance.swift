/// A length along or above the Earth's surface.
///
/// All code of this project passes lengths as this type; a number of meters is made of it where a wire format, a table or
/// Core Location needs one. A number from outside goes through ``init(meters:)``; a literal that isn't finite traps. That a
/// distance is finite must stay, because JSON has no infinity and comparisons rely on it. ``description`` is for people.
///
/// Further units may be added, with their names where a number enters and leaves; `GreatCircleTests` and
/// `PositionCodingTests` use it throughout.
public struct Distance: Hashable, Sendable {
    /// The length in meters, always finite; negative for a height below zero, or a distance backward.
    public let meters: Double

    /// Creates a distance from a number of unknown origin.
    ///
    /// - Returns: `nil` if `meters` isn't finite.
    public init?(meters: Double) {
        guard meters.isFinite else { return nil }
        self.meters = meters
    }

    private init(finite meters: Double) {
        precondition(meters.isFinite, "A distance is finite.")
        self.meters = meters
    }

    private init(clamping meters: Double) {
        let most = Double.greatestFiniteMagnitude
        self.init(finite: meters.isInfinite ? (meters < 0 ? -most : most) : meters)
    }

    /// A length of zero.
    public static let zero = Distance(finite: 0)

    /// A distance in meters, which must be finite.
    public static func meters(_ meters: Double) -> Distance {
        Distance(finite: meters)
    }

    /// A distance in kilometers, which must be finite.
    public static func kilometers(_ kilometers: Double) -> Distance {
        Distance(finite: kilometers * 1000)
    }

    /// The length in kilometers.
    public var kilometers: Double {
        meters / 1000
    }

    /// The same length without its sign.
    public var magnitude: Distance {
        Distance(finite: meters.magnitude)
    }
}

/// A result that would overflow becomes the greatest finite distance.
extension Distance: Comparable, AdditiveArithmetic {
    /// Whether the left distance is less than the right one.
    public static func < (left: Distance, right: Distance) -> Bool {
        left.meters < right.meters
    }

    /// The sum of two distances.
    public static func + (left: Distance, right: Distance) -> Distance {
        Distance(clamping: left.meters + right.meters)
    }

    /// The difference of two distances.
    public static func - (left: Distance, right: Distance) -> Distance {
        Distance(clamping: left.meters - right.meters)
    }

    /// A distance times a factor, which must be a number.
    public static func * (distance: Distance, factor: Double) -> Distance {
        Distance(clamping: distance.meters * factor)
    }

    /// A distance divided by a number that isn't zero.
    public static func / (distance: Distance, divisor: Double) -> Distance {
        Distance(clamping: distance.meters / divisor)
    }

    /// The ratio of two distances.
    public static func / (left: Distance, right: Distance) -> Double {
        left.meters / right.meters
    }
}

extension Distance: CustomStringConvertible {
    /// The length in meters with its unit.
    public var description: String {
        "\(meters) m"
    }
}
