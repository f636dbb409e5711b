import YonderGeodesy

/// Reads a sentence's fields from left to right; each function reads one, unless it says how many.
///
/// An empty field, or one beyond the end of the sentence, is `nil`. An invalid field is `nil`, too, and marks
/// the sentence as broken.
///
/// The types in `NMEAReports.swift` make one for each sentence whose checksum was right, read fields in their order, and look
/// at ``isBroken`` at the end: then the whole sentence is refused and counted as malformed. No bytes trap. A further form of
/// a field is a function here, with its unit converted. What an invalid field is must stay, as recordings of real receivers
/// are read with it (`NMEASentenceTests`, `NMEARecordedTests`).
struct NMEAFields {
    /// Whether a field was invalid.
    private(set) var isBroken = false

    private var position: Int
    private let end: Int

    /// The fields within a range, commas among them.
    init(_ range: Range<Int>) {
        position = range.lowerBound
        end = range.upperBound
    }

    /// Skips fields.
    mutating func skip(_ count: Int = 1, in bytes: Span<UInt8>) {
        for _ in 0..<count {
            while position < end, bytes[position] != UInt8(ascii: ",") { position += 1 }
            position += 1
        }
    }

    /// The number of the next fields that aren't empty.
    mutating func countFilled(of count: Int, in bytes: Span<UInt8>) -> Int {
        var filled = 0
        for _ in 0..<count {
            let start = position
            skip(in: bytes)
            if position - 1 > start { filled += 1 }
        }
        return filled
    }

    /// A single character.
    mutating func letter(in bytes: Span<UInt8>) -> UInt8? {
        guard let byte = first(in: bytes) else { return nil }
        position += 1
        return finish(byte, in: bytes)
    }

    /// Marks the sentence as broken unless the field is a certain letter or empty.
    mutating func expect(_ letter: Unicode.Scalar, in bytes: Span<UInt8>) {
        if let found = self.letter(in: bytes), UInt32(found) != letter.value { isBroken = true }
    }

    /// A number of at most nine digits.
    mutating func integer(in bytes: Span<UInt8>) -> Int? {
        guard first(in: bytes) != nil else { return nil }
        let (number, digits) = self.digits(atMost: 9, in: bytes)
        return finish(digits > 0 ? number : nil, in: bytes)
    }

    /// A number with optional sign and decimals; decimals after the ninth are cut off.
    mutating func decimal(in bytes: Span<UInt8>) -> Double? {
        guard let first = first(in: bytes) else { return nil }
        let isNegative = first == UInt8(ascii: "-")
        if isNegative || first == UInt8(ascii: "+") { position += 1 }
        let (whole, wholeDigits) = digits(atMost: 6, in: bytes)
        let (fraction, decimals) = self.fraction(in: bytes)
        guard wholeDigits + decimals > 0 else { return finish(nil, in: bytes) }
        // Exact integers below 2⁵³, so that one division gives the nearest number.
        let scale = Self.powersOfTen[decimals]
        let magnitude = Double(whole * scale + fraction) / Double(scale)
        return finish(isNegative ? -magnitude : magnitude, in: bytes)
    }

    /// Milliseconds since midnight in UTC, from `hhmmss` with optional decimals.
    ///
    /// Decimals after the third are cut off, and second 60 is accepted for leap seconds.
    mutating func timeOfDay(in bytes: Span<UInt8>) -> Int? {
        guard first(in: bytes) != nil else { return nil }
        let (clock, digits) = digits(atMost: 6, in: bytes)
        let (fraction, decimals) = fraction(in: bytes)
        let (hour, minute, second) = (clock / 10_000, clock / 100 % 100, clock % 100)
        guard digits == 6, hour < 24, minute < 60, second <= 60 else { return finish(nil, in: bytes) }
        let milliseconds = fraction * 1000 / Self.powersOfTen[decimals]
        return finish(((hour * 60 + minute) * 60 + second) * 1000 + milliseconds, in: bytes)
    }

    private static let powersOfTen = [
        1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    ]
}

// Values of several fields.
extension NMEAFields {
    /// A position: latitude as `ddmm.mmmm`, `N` or `S`, longitude as `dddmm.mmmm`, `E` or `W`.
    mutating func coordinate(in bytes: Span<UInt8>) -> Coordinate? {
        let latitude = degrees(atMost: 90, "N", "S", in: bytes)
        let longitude = degrees(atMost: 180, "E", "W", in: bytes)
        guard let latitude, let longitude else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    /// A deviation or variation: degrees, and `E` or `W`.
    mutating func variation(in bytes: Span<UInt8>) -> Double? {
        let degrees = decimal(in: bytes)
        let side = letter(in: bytes)
        guard let degrees else { return nil }
        guard (0...180).contains(degrees) else { return refuse() }
        switch side {
        case UInt8(ascii: "E"): return degrees
        case UInt8(ascii: "W"): return -degrees
        // Some receivers write 0 and leave the side out, so that the letter of the mode follows.
        default: return nil
        }
    }

    /// A direction in `0...360` degrees.
    mutating func bearing(in bytes: Span<UInt8>) -> Bearing? {
        guard let degrees = decimal(in: bytes) else { return nil }
        return (0...360).contains(degrees) ? Bearing(degrees: degrees) : refuse()
    }

    /// A speed in knots, of 1852 meters in 3600 seconds; below 20 000, as anything faster leaves the Earth.
    mutating func knots(in bytes: Span<UInt8>) -> Speed? {
        guard let knots = decimal(in: bytes) else { return nil }
        return knots < 20_000 ? Speed(metersPerSecond: knots * 1852 / 3600) ?? refuse() : refuse()
    }

    /// A length in meters, which may be negative.
    mutating func meters(in bytes: Span<UInt8>) -> Distance? {
        decimal(in: bytes).flatMap(Distance.init(meters:))
    }

    /// A dilution of precision; `nil` for zero, and for 99 and more, by which receivers mark a missing one.
    mutating func dilution(in bytes: Span<UInt8>) -> Double? {
        decimal(in: bytes).flatMap { $0 > 0 && $0 < 99 ? $0 : nil }
    }

    /// Degrees from degrees and minutes in one number, and a letter for the side.
    private mutating func degrees(
        atMost limit: Int,
        _ positive: Unicode.Scalar,
        _ negative: Unicode.Scalar,
        in bytes: Span<UInt8>
    ) -> Double? {
        guard first(in: bytes) != nil else {
            skip(in: bytes)
            return nil
        }
        let (number, digits) = digits(atMost: 5, in: bytes)
        let (fraction, decimals) = fraction(in: bytes)
        _ = finish(digits, in: bytes)
        let side = letter(in: bytes).map(UInt32.init)
        let minutes = number / 100 * 60 + number % 100
        // Exact integers below 2⁵³, so that one division gives the nearest number of degrees.
        let scale = Self.powersOfTen[decimals]
        let numerator = minutes * scale + fraction
        guard
            digits >= 3, number % 100 < 60, numerator <= limit * 60 * scale,
            side == positive.value || side == negative.value
        else { return refuse() }
        let degrees = Double(numerator) / Double(60 * scale)
        return side == negative.value ? -degrees : degrees
    }
}

// Single bytes.
extension NMEAFields {
    /// The field's first byte; for an empty field, skips it and returns `nil`.
    @inline(__always)
    private mutating func first(in bytes: Span<UInt8>) -> UInt8? {
        guard position < end, bytes[position] != UInt8(ascii: ",") else {
            position += 1
            return nil
        }
        return bytes[position]
    }

    /// Skips the field's end, which must be here.
    @inline(__always)
    private mutating func finish<Value>(_ value: Value?, in bytes: Span<UInt8>) -> Value? {
        let ends = position >= end || bytes[position] == UInt8(ascii: ",")
        if !ends { skip(in: bytes) } else { position += 1 }
        guard ends, let value else { return refuse() }
        return value
    }

    private mutating func refuse<Value>() -> Value? {
        isBroken = true
        return nil
    }

    @inline(__always)
    private mutating func digits(atMost most: Int, in bytes: Span<UInt8>) -> (number: Int, count: Int) {
        var (number, count) = (0, 0)
        while count < most, let digit = digit(in: bytes) {
            number = number * 10 + digit
            count += 1
        }
        return (number, count)
    }

    /// The decimals after a point: the first nine as one number, and their count.
    @inline(__always)
    private mutating func fraction(in bytes: Span<UInt8>) -> (number: Int, count: Int) {
        guard position < end, bytes[position] == UInt8(ascii: ".") else { return (0, 0) }
        position += 1
        let fraction = digits(atMost: 9, in: bytes)
        while digit(in: bytes) != nil {}
        return fraction
    }

    @inline(__always)
    private mutating func digit(in bytes: Span<UInt8>) -> Int? {
        guard position < end else { return nil }
        let digit = bytes[position] &- 0x30
        guard digit <= 9 else { return nil }
        position += 1
        return Int(digit)
    }
}
