public import Foundation
package import YonderGeodesy
public import YonderModel

/// What all models of an app share: the language, how dates are written, and the clock.
///
/// An app makes one and gives it to `AppModel`; every model has it. Tests pass clocks of their own. It can't fail: an unknown
/// language becomes English, a missing value leaves its place empty, and a refusal without words is the server's sentence.
/// That another person's text is isolated must stay, or it could turn the words around it (`WordsTests`). `Ticker` uses the
/// clock.
///
/// How numbers are written is Foundation's; a further value that all models need is a property here.
public struct AppContext: Sendable {
    /// The language of every text.
    public let language: Language

    /// How numbers, times and dates are written, such as `de-AT`.
    public let locale: Locale

    /// The time zone of times and dates.
    public let timeZone: TimeZone

    /// The clock of waits.
    let clock: any Clock<Duration>

    /// The date and time by the device's clock.
    let now: @Sendable () -> Timestamp

    /// Creates a context.
    ///
    /// - Parameters:
    ///   - languages: The person's languages, the best first: the first for which there are words is taken, with its region.
    ///   - timeZone: The time zone.
    public init(languages: [String] = Locale.preferredLanguages, timeZone: TimeZone = .current) {
        self.init(languages: languages, timeZone: timeZone, clock: ContinuousClock()) {
            Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down)))
        }
    }

    /// Creates a context with clocks of the caller's.
    package init(
        languages: [String],
        timeZone: TimeZone,
        clock: any Clock<Duration>,
        now: @escaping @Sendable () -> Timestamp
    ) {
        let (language, tag) = Language.best(of: languages)
        self.language = language
        locale = Locale(identifier: tag)
        self.timeZone = timeZone
        self.clock = clock
        self.now = now
    }

    // MARK: - Words

    /// A text in the person's language.
    ///
    /// - Parameters:
    ///   - word: The text.
    ///   - values: What takes the place of each `{name}`; texts are isolated where they are written from the right.
    ///   - count: The number that chooses between the forms for one and for several, and takes the place of `{count}`.
    /// - Returns: The text.
    public func say(_ word: Word, _ values: [String: String] = [:], count: Int? = nil) -> String {
        var values = values.mapValues(\.isolated)
        if let count { values["count"] = number(count) }
        let phrase = language.table[word] ?? .text(word.rawValue)
        return Self.filled(phrase.form(for: count), values)
    }

    private static func filled(_ text: String, _ values: [String: String]) -> String {
        var filled = ""
        var rest = Substring(text)
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            filled += rest[..<open]
            filled += values[String(rest[rest.index(after: open)..<close])] ?? ""
            rest = rest[rest.index(after: close)...]
        }
        return filled + rest
    }

    /// A number as the locale writes it.
    func number(_ value: Int) -> String { value.formatted(.number.locale(locale)) }

    /// A refusal in words, by its code; where there are none, in English what the server says, else that something failed.
    public func say(_ error: SharingError) -> String {
        // The SDK has one code for a server that can't be reached and for one that can't answer.
        if error.code == .unavailable { return say(.errorUnreachable) }
        if let word = Word(rawValue: "error:\(error.code)") { return say(word) }
        return language == .english ? error.message : say(.errorInternalError)
    }
}
