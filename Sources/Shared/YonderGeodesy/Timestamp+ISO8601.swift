// Times as text, in the form that files, HTTP and logs have. Every reader and writer of tracks uses it, without Foundation's
// formatters, which depend on settings of the machine. Nothing traps: a text that is no time gives `nil`. What is accepted
// and how a time is written must stay, because files are read again (`TimestampTests`).
extension Timestamp {
    /// Creates the time that a date and time in ISO 8601 stands for.
    ///
    /// The accepted form is the one that RFC 3339 and XML's `dateTime` share, `2010-08-05T14:23:59.5+02:00`:
    /// a year of four digits, any number of decimals (those after the third are cut off) and a zone, or none
    /// for UTC. Second 60 counts as the next second, and 24:00:00 as the next day.
    ///
    /// - Returns: `nil` if the text has another form or the date doesn't exist.
    public init?(iso8601 text: String) {
        let bytes = Array(text.utf8)
        self.init(iso8601: bytes.span)
    }

    /// Creates the time that a date and time in ISO 8601 stands for, from its ASCII; see `init(iso8601:)`.
    ///
    /// - Returns: `nil` if the text has another form or the date doesn't exist.
    public init?(iso8601 bytes: Span<UInt8>) {
        var reader = DateReader()
        guard
            let day = reader.day(in: bytes),
            let timeOfDay = reader.timeOfDay(in: bytes),
            let offset = reader.offset(in: bytes),
            reader.position == bytes.count
        else { return nil }
        self.init(milliseconds: day * 86_400_000 + timeOfDay - offset)
    }

    /// Creates the beginning of a day of the Gregorian calendar in UTC.
    ///
    /// - Returns: `nil` if the date doesn't exist or its year lies outside `0...9999`.
    package init?(year: Int, month: Int, day: Int) {
        let (year, month, day) = (Int64(year), Int64(month), Int64(day))
        guard
            (0...9999).contains(year), (1...12).contains(month),
            day >= 1, day <= DateReader.days(inMonth: month, of: year)
        else { return nil }
        self.init(milliseconds: DateReader.dayNumber(year: year, month: month, day: day) * 86_400_000)
    }

    /// The time in ISO 8601 and UTC: `2010-08-05T14:23:59Z`, with three decimals unless they are zero.
    ///
    /// Outside the years 0000 to 9999 the year has a sign or more digits, as in XML's `dateTime`.
    public var iso8601: String {
        let (day, timeOfDay) = Self.divide(milliseconds, by: 86_400_000)
        let date = Self.date(ofDay: day)
        let year = Self.digits(Int64(date.year.magnitude), 4)
        let clock = [timeOfDay / 3_600_000, timeOfDay / 60_000 % 60, timeOfDay / 1000 % 60]
            .map { Self.digits($0, 2) }
            .joined(separator: ":")
        let decimals = timeOfDay % 1000 == 0 ? "" : "." + Self.digits(timeOfDay % 1000, 3)
        let sign = date.year < 0 ? "-" : ""
        return "\(sign)\(year)-\(Self.digits(date.month, 2))-\(Self.digits(date.day, 2))T\(clock)\(decimals)Z"
    }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    /// Division that rounds down, so that the remainder isn't negative.
    private static func divide(_ number: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// The date in the Gregorian calendar of a day counted from the beginning of 1970.
    ///
    /// By `civil_from_days` of H. Hinnant, *chrono-Compatible Low-Level Date Algorithms*.
    private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = divide(day + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }
}

/// Reads a date and time from left to right; each function reads one part, and returns `nil` if the part is
/// missing.
private struct DateReader {
    var position = 0

    /// The day, counted from the beginning of 1970.
    mutating func day(in bytes: Span<UInt8>) -> Int64? {
        guard
            let year = number(digits: 4, in: bytes), skip("-", in: bytes),
            let month = number(digits: 2, in: bytes), skip("-", in: bytes),
            let day = number(digits: 2, in: bytes),
            (1...12).contains(month), day >= 1, day <= Self.days(inMonth: month, of: year)
        else { return nil }
        return Self.dayNumber(year: year, month: month, day: day)
    }

    /// The milliseconds since midnight, after a `T`.
    mutating func timeOfDay(in bytes: Span<UInt8>) -> Int64? {
        guard
            skip("T", in: bytes) || skip("t", in: bytes),
            let hour = number(digits: 2, in: bytes), skip(":", in: bytes),
            let minute = number(digits: 2, in: bytes), skip(":", in: bytes),
            let second = number(digits: 2, in: bytes),
            let fraction = fraction(in: bytes),
            hour <= 24, minute <= 59, second <= 60
        else { return nil }
        let milliseconds = ((hour * 60 + minute) * 60 + second) * 1000 + fraction
        return hour == 24 && milliseconds > 86_400_000 ? nil : milliseconds
    }

    /// The offset of the zone from UTC, in milliseconds; zero if there is no zone.
    mutating func offset(in bytes: Span<UInt8>) -> Int64? {
        if position == bytes.count || skip("Z", in: bytes) || skip("z", in: bytes) { return 0 }
        let isAhead = skip("+", in: bytes)
        guard
            isAhead || skip("-", in: bytes),
            let hours = number(digits: 2, in: bytes), skip(":", in: bytes),
            let minutes = number(digits: 2, in: bytes),
            hours <= 23, minutes <= 59
        else { return nil }
        return (hours * 60 + minutes) * (isAhead ? 60_000 : -60_000)
    }

    /// The decimals of a second as whole milliseconds; zero if there is no point.
    private mutating func fraction(in bytes: Span<UInt8>) -> Int64? {
        guard skip(".", in: bytes) else { return 0 }
        var (milliseconds, weight) = (Int64(0), Int64(100))
        let start = position
        while let digit = digit(in: bytes) {
            milliseconds += digit * weight
            weight /= 10
        }
        return position > start ? milliseconds : nil
    }

    private mutating func number(digits: Int, in bytes: Span<UInt8>) -> Int64? {
        var number = Int64(0)
        for _ in 0..<digits {
            guard let digit = digit(in: bytes) else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    private mutating func digit(in bytes: Span<UInt8>) -> Int64? {
        guard position < bytes.count, (0x30...0x39).contains(bytes[position]) else { return nil }
        defer { position += 1 }
        return Int64(bytes[position] - 0x30)
    }

    private mutating func skip(_ character: Unicode.Scalar, in bytes: Span<UInt8>) -> Bool {
        guard position < bytes.count, UInt32(bytes[position]) == character.value else { return false }
        position += 1
        return true
    }

    static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The day of a date in the Gregorian calendar, counted from the beginning of 1970.
    ///
    /// By `days_from_civil` of H. Hinnant, *chrono-Compatible Low-Level Date Algorithms*; a year before
    /// March of year 0 counts to the era before.
    static func dayNumber(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
