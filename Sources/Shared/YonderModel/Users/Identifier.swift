/// A random number of 63 bits that names a user, a chat or another record, and tells nothing about it.
///
/// On the wire it is a decimal string. `Subject` keeps a user's identifier from being used for a chat's.
///
/// The server draws an id for each new record; stores keep the number, and frames, REST and clients have the decimal string.
/// Text that isn't exactly one gives `nil`, which the reader refuses with the field's name. The string form must stay,
/// because JavaScript can't read 63 bits as a number, and so must the range: databases have it. That ids are random and tell
/// nothing about counts or times must stay, too.
public struct Identifier<Subject>: Hashable, Sendable, Comparable, LosslessStringConvertible {
    /// The number, in `0...Int64.max`.
    public let rawValue: Int64

    /// Creates an identifier from its number; `nil` if it is negative.
    public init?(_ rawValue: Int64) {
        guard rawValue >= 0 else { return nil }
        self.rawValue = rawValue
    }

    /// Reads a decimal string as the wire has it; `nil` for signs, spaces, leading zeros or more than 63 bits.
    public init?(_ description: String) {
        var description = description
        let parsed: Int64? = description.withUTF8 { Self.number(UnsafeRawBufferPointer($0)) }
        guard let parsed else { return nil }
        self.rawValue = parsed
    }

    /// Reads decimal digits; `nil` where ``init(_:)-string`` gives `nil`.
    package init?(digits: UnsafeRawBufferPointer) {
        guard let parsed = Self.number(digits) else { return nil }
        self.rawValue = parsed
    }

    /// Draws a new identifier.
    public static func random(using generator: inout some RandomNumberGenerator) -> Self {
        Self(unchecked: Int64.random(in: 1...Int64.max, using: &generator))
    }

    /// Draws a new identifier from the system's generator.
    public static func random() -> Self {
        // Not by way of `random(using:)`: the thread sanitizer takes passing a generator without state for a race.
        Self(unchecked: Int64.random(in: 1...Int64.max))
    }

    /// The number in decimal digits.
    public var description: String { String(rawValue) }

    /// Orders by number, which means nothing but gives lists one order.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    private init(unchecked rawValue: Int64) {
        self.rawValue = rawValue
    }

    private static func number(_ digits: UnsafeRawBufferPointer) -> Int64? {
        guard (1...19).contains(digits.count), digits[0] != UInt8(ascii: "0") || digits.count == 1 else {
            return nil
        }
        var value: Int64 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            let (tenfold, overflowed) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflowedToo) = tenfold.addingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
            guard !overflowed, !overflowedToo else { return nil }
            value = sum
        }
        return value
    }
}

/// Names a ``User``; older clients call it *regId*.
public typealias UserID = Identifier<User>

/// Names a ``Chat``.
public typealias ChatID = Identifier<Chat>
