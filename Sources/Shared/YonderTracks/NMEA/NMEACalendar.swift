import YonderGeodesy

/// A date as written in a sentence; it may not exist.
struct NMEADate: Hashable {
    let day: Int
    let month: Int
    let year: Int

    /// Whether the year includes the century.
    let isFull: Bool
}

/// Finds the day that a time of day belongs to.
///
/// The day is that of a date in a sentence, or else follows from the previous day by passing midnight, or
/// else from the reference.
///
/// `NMEAReader` has one, advances it with each epoch's time, and sets it by each RMC and ZDA. A date that doesn't exist is
/// ignored and marks its sentence as malformed; without any date and reference there is no timestamp, and so no position.
/// Half a day, the first possible day and the correction by 1024 weeks follow from GPS and must stay (`NMEAEpochTests`,
/// `NMEARecordedTests`).
struct NMEACalendar {
    private let reference: Timestamp?
    private let correctsWeekRollover: Bool

    /// The day of ``time``, counted from the beginning of 1970.
    private var day: Int64?

    /// The last time of day, in milliseconds.
    private var time = 0

    init(reference: Timestamp?, correctsWeekRollover: Bool) {
        self.reference = reference
        self.correctsWeekRollover = correctsWeekRollover
    }

    /// Advances to another time of day, past midnight if that time lies more than half a day back.
    mutating func advance(to time: Int) {
        if let known = day {
            if time < self.time - Self.halfADay { day = known + 1 }
            if time > self.time + Self.halfADay { day = known - 1 }
        } else if let reference {
            day = Self.quotient(
                reference.milliseconds - Int64(time) + Int64(Self.halfADay),
                Self.millisecondsPerDay
            )
        }
        self.time = time
    }

    /// Uses a date as that of the last time of day.
    ///
    /// - Returns: Whether the date exists and isn't before 1980-01-06, when GPS time began.
    @discardableResult
    mutating func set(_ date: NMEADate) -> Bool {
        var best: Int64?
        for century in date.isFull ? 0...0 : 19...21 {
            guard
                let beginning = Timestamp(
                    year: century * 100 + date.year,
                    month: date.month,
                    day: date.day
                ),
                beginning.milliseconds >= Self.firstPossibleDay * Self.millisecondsPerDay
            else { continue }
            let candidate = beginning.milliseconds / Self.millisecondsPerDay
            if best.map({ isNearer(candidate, than: $0) }) ?? true { best = candidate }
        }
        guard let best else { return false }
        day = corrected(best)
        return true
    }

    /// The last time of day, on its day.
    var timestamp: Timestamp? {
        day.map { Timestamp(milliseconds: $0 * Self.millisecondsPerDay + Int64(time)) }
    }

    /// Without a reference the first possible century is chosen: years 80 to 99 are of the twentieth.
    private func isNearer(_ candidate: Int64, than other: Int64) -> Bool {
        guard let today else { return false }
        return (candidate - today).magnitude < (other - today).magnitude
    }

    /// Adds as many times 1024 weeks as bring a day nearest to the reference, if that correction is enabled.
    private func corrected(_ day: Int64) -> Int64 {
        guard correctsWeekRollover, let today, today > day else { return day }
        let cycle = Int64(1024 * 7)
        return day + (today - day + cycle / 2) / cycle * cycle
    }

    private var today: Int64? {
        reference.map { Self.quotient($0.milliseconds, Self.millisecondsPerDay) }
    }

    private static let millisecondsPerDay = Int64(86_400_000)
    private static let halfADay = 43_200_000

    /// GPS time began on 1980-01-06.
    private static let firstPossibleDay = Int64(3657)

    /// Division that rounds down.
    private static func quotient(_ number: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
