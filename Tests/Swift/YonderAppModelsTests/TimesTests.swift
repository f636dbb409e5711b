import Foundation
import Testing
import YonderGeodesy

@testable import YonderAppModels

@Suite struct TimesTests {
    /// Wednesday, the 26th of November 2025, 16:00 UTC.
    private let now = Timestamp(milliseconds: 1_764_172_800_000)
    private let english = AppContext(languages: ["en"], timeZone: .gmt)
    private let german = AppContext(languages: ["de-AT"], timeZone: .gmt)

    @Test(arguments: [
        (0, "now", "just now", "jetzt"), (59, "now", "just now", "jetzt"),
        (60, "1 min", "1 min ago", "1 Min."),
        (3_599, "59 min", "59 min ago", "59 Min."), (7_200, "2 h", "2 h ago", "2 Std."),
        (43_200, "04:00", "04:00", "04:00"), (86_400, "Tue 16:00", "Tue 16:00", "Di 16:00"),
        (864_000, "Nov 16", "Nov 16", "16. Nov."),
    ])
    func `an age is as short as it stands under a pin`(
        seconds: Int,
        age: String,
        ago: String,
        inGerman: String
    ) {
        let time = now - .seconds(seconds)
        #expect(english.ageText(time, at: now) == age)
        #expect(english.agoText(time, at: now) == ago)
        #expect(german.ageText(time, at: now) == inGerman)
    }

    @Test func `a time of day is as the region writes it, of 24 hours where there is none`() {
        let american = AppContext(languages: ["en-US"], timeZone: .gmt)
        #expect(american.clockText(now).hasPrefix("4:00") && american.clockText(now).hasSuffix("PM"))
        #expect(english.clockText(now) == "16:00" && german.clockText(now) == "16:00")
        let vaduz = AppContext(languages: ["de"], timeZone: TimeZone(identifier: "Europe/Vaduz") ?? .gmt)
        #expect(vaduz.clockText(now) == "17:00")
    }

    @Test func `what is left is said to the minute`() {
        #expect(english.leftText(.seconds(1)) == "1 min" && english.leftText(.seconds(900)) == "15 min")
        #expect(
            english.leftText(.seconds(7_500)) == "2 h 5 min" && german.leftText(.seconds(3_600)) == "1 Std."
        )
    }

    @Test func `distances are rounded as far as one wants to know`() throws {
        #expect(english.distanceText(.meters(7.6)) == "8 m" && english.distanceText(.meters(123)) == "120 m")
        #expect(
            english.distanceText(.kilometers(2.54)) == "2.5 km"
                && german.distanceText(.kilometers(2.54)) == "2,5 km"
        )
        #expect(english.distanceText(.kilometers(25.4)) == "25 km")
    }

    @Test func `a length of sharing has a name and an end`() {
        #expect(ShareLength.choices.map(german.name) == ["15 Min.", "1 Std.", "8 Std.", "bis ich beende"])
        #expect(
            ShareLength.choices.map { $0.end(from: now) } == [900, 3_600, 28_800].map { now + .seconds($0) }
                + [nil]
        )
        #expect(ShareLength.until(now).end(from: now) == now)
    }
}
