/// A direction in the horizontal plane: degrees clockwise from north, in `0..<360`.
///
/// Sources make it of a course or a heading, and map views turn arrows by it. A number from outside goes through
/// ``init(degrees:)``; a literal that isn't finite traps. That 360 is 0, and zero has no sign, must stay, so that equal
/// directions are equal values (`GreatCircleTests`, `PositionCodingTests`).
public struct Bearing: Hashable, Sendable {
    /// Degrees clockwise from north, in `0..<360`.
    public let degrees: Double

    /// Creates a bearing, folding the degrees into `0..<360`.
    ///
    /// - Returns: `nil` if `degrees` isn't finite.
    public init?(degrees: Double) {
        guard degrees.isFinite else { return nil }
        self.init(finite: degrees)
    }

    private init(finite degrees: Double) {
        precondition(degrees.isFinite, "A bearing is finite.")
        let remainder = degrees.truncatingRemainder(dividingBy: 360)
        let folded = remainder < 0 ? remainder + 360 : remainder
        // Just below zero, adding 360 rounds up to 360; and zero has no sign.
        self.degrees = folded == 360 || folded == 0 ? 0 : folded
    }

    /// A bearing in degrees, which must be finite, folded into `0..<360`.
    public static func degrees(_ degrees: Double) -> Bearing {
        Bearing(finite: degrees)
    }

    /// Toward the north pole.
    public static let north = Bearing(finite: 0)

    /// Clockwise a quarter turn from north.
    public static let east = Bearing(finite: 90)

    /// Toward the south pole.
    public static let south = Bearing(finite: 180)

    /// Clockwise three quarter turns from north.
    public static let west = Bearing(finite: 270)
}

extension Bearing: CustomStringConvertible {
    /// The degrees with their unit.
    public var description: String {
        "\(degrees)°"
    }
}
