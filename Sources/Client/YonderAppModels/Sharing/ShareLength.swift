public import YonderGeodesy
import YonderModel

/// For how long a person shares.
///
/// `ShareFormModel` lists them, and `SharingModel` makes a share's end of the chosen one. Nothing fails: a time that is past
/// is moved by the form. Lengths are those of the page and may change with it; words are in `Word` (`TimesTests`).
public enum ShareLength: Hashable, Sendable {
    /// 15 minutes.
    case quarter
    /// One hour.
    case hour
    /// Eight hours.
    case eight
    /// Until this time.
    case until(Timestamp)
    /// Until the person stops.
    case untilStop

    /// The choices beside a time of one's own.
    public static let choices: [ShareLength] = [.quarter, .hour, .eight, .untilStop]

    /// The end of a share that begins now, or `nil` for none.
    func end(from now: Timestamp) -> Timestamp? {
        switch self {
        case .quarter: now + .seconds(900)
        case .hour: now + .seconds(3_600)
        case .eight: now + .seconds(8 * 3_600)
        case .until(let time): time
        case .untilStop: nil
        }
    }
}

extension AppContext {
    /// A length in words, as a choice: *15 min*, *until 16:00*.
    public func name(of length: ShareLength) -> String {
        switch length {
        case .quarter: say(.sharingQuarter)
        case .hour: say(.sharingHour)
        case .eight: say(.sharingEight)
        case .until(let time): say(.sharingUntil, ["time": dayText(time, at: now())])
        case .untilStop: say(.sharingUntilStop)
        }
    }
}
