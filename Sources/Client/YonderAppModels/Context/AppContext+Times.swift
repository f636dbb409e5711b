import Foundation
import YonderGeodesy

// Times as `Web/app/freshness/age.js` writes them. The models' texts of times, ages and distances; pure functions of the
// context's language, time zone and a time that is passed. They can't fail. Limits (a minute, an hour, a week) and forms must
// be the page's, so that app and page say the same of a person (`TimesTests`). A locale's own order of day and month is
// Foundation's. A further text is a function here and its words in `Word`; none depends on another.
extension AppContext {
    private static var minute: Duration { .seconds(60) }
    private static var hour: Duration { .seconds(3_600) }

    /// A time of day: *14:02*.
    func clockText(_ time: Timestamp) -> String {
        switch locale.hourCycle {
        // Readers without a region of their own read 24 hours.
        case .zeroToTwentyThree, .oneToTwentyFour: digits(time)
        case _ where locale.region == nil: digits(time)
        default: Date(time).formatted(style(date: .omitted, time: .shortened))
        }
    }

    private func digits(_ time: Timestamp) -> String {
        let parts = calendar.dateComponents([.hour, .minute], from: Date(time))
        return [parts.hour ?? 0, parts.minute ?? 0].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(
            separator: ":"
        )
    }

    /// A time of day, with its day if that isn't today's: *14:02*, *Tue 14:02*, *12 Nov*.
    func dayText(_ time: Timestamp, at now: Timestamp) -> String {
        if calendar.isDate(Date(time), inSameDayAs: Date(now)) { return clockText(time) }
        let distance = time < now ? now - time : time - now
        let style = style(date: nil, time: nil)
        guard distance < Self.hour * 24 * 7 else {
            return Date(time).formatted(style.day().month(.abbreviated))
        }
        return "\(Date(time).formatted(style.weekday(.abbreviated))) \(clockText(time))"
    }

    /// A time with its day, and with its year if that isn't this one: *14:02*, *12 Nov*, *12 Nov 2024*.
    func sinceText(_ time: Timestamp, at now: Timestamp) -> String {
        let year = calendar.component(.year, from: Date(time))
        let text = dayText(time, at: now)
        return year == calendar.component(.year, from: Date(now)) ? text : "\(text) \(year)"
    }

    /// An age as short as it stands under a pin: *now*, *4 min*, *2 h*, *14:02*, *Tue 14:02*, *12 Nov*.
    func ageText(_ time: Timestamp, at now: Timestamp) -> String {
        shortAge(now - time) ?? dayText(time, at: now)
    }

    /// How long ago a time was: *just now*, *3 min ago*, *2 h ago*, *14:02*.
    func agoText(_ time: Timestamp, at now: Timestamp) -> String {
        let age = now - time
        guard age >= Self.minute else { return say(.peopleJustNow) }
        return shortAge(age).map { say(.appAgo, ["age": $0]) } ?? dayText(time, at: now)
    }

    private func shortAge(_ age: Duration) -> String? {
        if age < Self.minute { return say(.ageNow) }
        if age < Self.hour { return say(.ageMinutes, count: Int(age / Self.minute)) }
        return age < Self.hour * 12 ? say(.ageHours, count: Int(age / Self.hour)) : nil
    }

    /// How long is left, to the minute: *42 min*, *2 h 5 min*.
    func leftText(_ duration: Duration) -> String {
        let minutes = max(1, Int((duration / Self.minute).rounded(.up)))
        let (hours, rest) = minutes.quotientAndRemainder(dividingBy: 60)
        let short = say(.ageMinutes, count: rest)
        guard hours > 0 else { return short }
        let whole = say(.ageHours, count: hours)
        return rest == 0 ? whole : "\(whole) \(short)"
    }

    /// When something was, as short as a list wants it: the time of day today, else the day.
    func listText(_ time: Timestamp, at now: Timestamp) -> String {
        if calendar.isDate(Date(time), inSameDayAs: Date(now)) { return clockText(time) }
        let style = style(date: nil, time: nil)
        let isOfWeek = now - time < Self.hour * 24 * 6
        return Date(time).formatted(isOfWeek ? style.weekday(.abbreviated) : style.day().month(.abbreviated))
    }

    /// A distance: *20 m*, *2.5 km*.
    func distanceText(_ distance: Distance) -> String {
        let meters = distance.meters
        guard meters >= 1_000 else {
            let shown = meters >= 100 ? (meters / 10).rounded() * 10 : meters
            return "\(number(Int(shown.rounded()))) m"
        }
        let kilometers = meters / 1_000
        let style = FloatingPointFormatStyle<Double>(locale: locale).precision(
            .fractionLength(0...(kilometers < 10 ? 1 : 0))
        )
        return "\(kilometers.formatted(style)) km"
    }

    private var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        (calendar.locale, calendar.timeZone) = (locale, timeZone)
        return calendar
    }

    private func style(date: Date.FormatStyle.DateStyle?, time: Date.FormatStyle.TimeStyle?)
        -> Date.FormatStyle
    {
        Date.FormatStyle(date: date, time: time, locale: locale, calendar: calendar, timeZone: timeZone)
    }
}

extension Date {
    fileprivate init(_ time: Timestamp) {
        self.init(timeIntervalSince1970: Double(time.milliseconds) / 1_000)
    }
}
