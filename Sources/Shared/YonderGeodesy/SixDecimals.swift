/// Degrees with six decimals: the form of latitude and longitude in location messages.
///
/// Two fixes with equal values count as the same position when sharing.
///
/// `WorldPosition`, `SocketIOWorld` and the command `yonder watch` write coordinates with it. A text of another form gives
/// `nil`; degrees out of range trap. Rounding must equal `toFixed(6)` for every number, as clients in JavaScript write so
/// (`SixDecimalsTests`, against the C library's digits).
public struct SixDecimals: Hashable, Sendable {
    /// The degrees in millionths, in `-360_000_000...360_000_000`.
    public let millionths: Int32

    /// Rounds degrees to six decimals, halves away from zero, as JavaScript's `toFixed(6)` does.
    ///
    /// The binary number itself is rounded, not its product with a million. Degrees must lie in `-360...360`.
    public init(_ degrees: Double) {
        precondition((-360...360).contains(degrees), "Degrees lie in -360...360.")
        let magnitude = Self.roundToMillionths(degrees.magnitude)
        millionths = degrees < 0 ? -magnitude : magnitude
    }

    /// Reads degrees as ``description`` writes them: up to three digits, a point and six digits.
    ///
    /// - Returns: `nil` if the text has another form or lies outside `-360...360`.
    public init?(_ text: some StringProtocol) {
        var bytes = text.utf8[...]
        let isNegative = bytes.first == UInt8(ascii: "-")
        if isNegative { bytes.removeFirst() }
        guard
            (8...10).contains(bytes.count),
            let point = bytes.firstIndex(of: UInt8(ascii: ".")),
            bytes.distance(from: point, to: bytes.endIndex) == 7
        else { return nil }

        var number = Int32(0)
        for index in bytes.indices where index != point {
            guard (0x30...0x39).contains(bytes[index]) else { return nil }
            number = number * 10 + Int32(bytes[index] - 0x30)
        }
        guard number <= 360_000_000 else { return nil }
        millionths = isNegative ? -number : number
    }

    /// The degrees.
    public var degrees: Double {
        Double(millionths) / 1_000_000
    }

    /// Rounds exactly: the integer significand times a million is shifted by the exponent.
    private static func roundToMillionths(_ degrees: Double) -> Int32 {
        guard degrees >= 1e-9 else { return 0 }
        let significand = UInt128(degrees.significandBitPattern | 1 << 52) * 1_000_000
        let shift = 52 - Int(degrees.exponent)
        return Int32((significand + UInt128(1) << (shift - 1)) >> shift)
    }
}

extension SixDecimals: CustomStringConvertible {
    /// The degrees with six decimals, such as `59.913900` or `-0.127800`; zero has no sign.
    public var description: String {
        let (degrees, decimals) = millionths.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        // The millionths with a leading one, which is then replaced by the point.
        return "\(millionths < 0 ? "-" : "")\(degrees).\(String(decimals + 1_000_000).dropFirst())"
    }
}
