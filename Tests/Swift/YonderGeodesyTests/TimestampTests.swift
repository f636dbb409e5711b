import Foundation
import Testing
import TestSupport
import YonderGeodesy

@Suite struct TimestampTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2010-08-05T14:23:59Z", 1_281_018_239_000),
            ("2010-08-05T14:23:59.5Z", 1_281_018_239_500), ("2010-08-05T14:23:59.0019Z", 1_281_018_239_001),
            ("2010-08-05T16:23:59+02:00", 1_281_018_239_000),
            ("2010-08-05T12:23:59-02:00", 1_281_018_239_000),
            ("2010-08-05T14:23:59", 1_281_018_239_000), ("2010-08-05t14:23:59z", 1_281_018_239_000),
            ("2016-12-31T23:59:60Z", 1_483_228_800_000), ("2016-12-31T24:00:00Z", 1_483_228_800_000),
            ("1969-12-31T23:59:59.999Z", -1), ("0000-01-01T00:00:00Z", -62_167_219_200_000),
            ("9999-12-31T23:59:59.999Z", 253_402_300_799_999), ("2000-02-29T00:00:00Z", 951_782_400_000),
            ("1901-12-13T20:45:52.2073437Z", -2_147_483_647_793),
        ] as [(String, Int64)]
    )
    func `ISO 8601 is read`(text: String, milliseconds: Int64) {
        #expect(Timestamp(iso8601: text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "2010", "2010-08-05", "2010-08-05T14:23", "2010-08-05T14:23:59.Z", "2010-08-05T14:23:59ZZ",
        "2010-13-05T14:23:59Z", "2010-00-05T14:23:59Z", "2010-08-32T14:23:59Z", "2010-08-00T14:23:59Z",
        "2010-02-29T14:23:59Z", "1900-02-29T14:23:59Z", "2010-08-05T25:00:00Z", "2010-08-05T24:00:01Z",
        "2010-08-05T14:60:00Z", "2010-08-05T14:23:61Z", "2010-08-05T14:23:59+24:00",
        "2010-08-05T14:23:59+0200",
        "2010-08-05T14:23:59+", "2010-8-5T14:23:59Z", " 2010-08-05T14:23:59Z", "٢٠١٠-08-05T14:23:59Z",
        "-2010-08-05T14:23:59Z", "12010-08-05T14:23:59Z", "2010-08-05 14:23:59Z",
    ])
    func `another form or a date that doesn't exist is refused`(text: String) {
        #expect(Timestamp(iso8601: text) == nil)
    }

    @Test func `a written time equals Foundation's, and is read back`() {
        var random = SeededGenerator(seed: 20)
        let style = Date.ISO8601FormatStyle()
        for _ in 0..<3000 {
            let seconds = Int64.random(in: -62_000_000_000...253_000_000_000, using: &random)
            let timestamp = Timestamp(milliseconds: seconds * 1000)
            // Foundation's calendar is Julian before 1582-10-15.
            if seconds > -12_219_292_800 {
                #expect(timestamp.iso8601 == style.format(Date(timeIntervalSince1970: Double(seconds))))
            }
            #expect(Timestamp(iso8601: timestamp.iso8601) == timestamp)
            let exact = Timestamp(milliseconds: seconds * 1000 + .random(in: 0..<1000, using: &random))
            #expect(Timestamp(iso8601: exact.iso8601) == exact)
        }
    }

    @Test func `any moment can be written`() {
        #expect(Timestamp(milliseconds: 1).iso8601 == "1970-01-01T00:00:00.001Z")
        #expect(Timestamp(milliseconds: -1).description == "1969-12-31T23:59:59.999Z")
        #expect(Timestamp(milliseconds: 253_402_300_800_000).iso8601 == "10000-01-01T00:00:00Z")
        #expect(Timestamp(milliseconds: -62_198_755_200_000).iso8601 == "-0001-01-01T00:00:00Z")
        #expect(Timestamp(milliseconds: .min).iso8601.hasPrefix("-292275055-05-16T16:47:04.192"))
        #expect(Timestamp(milliseconds: .max).iso8601 == "292278994-08-17T07:12:55.807Z")
    }

    @Test func `durations lead from one moment to another`() {
        let start = Timestamp(milliseconds: 1000)
        #expect(start + .seconds(2) == Timestamp(milliseconds: 3000))
        #expect(start - .milliseconds(1500) == Timestamp(milliseconds: -500))
        #expect(start + .microseconds(1999) == Timestamp(milliseconds: 1001))
        #expect(start + .microseconds(-1999) == Timestamp(milliseconds: 999))
        #expect(start - Timestamp(milliseconds: 250) == .milliseconds(750))
        #expect(start < start + .milliseconds(1))
    }

    @Test func `a time beyond the last moment stops there`() {
        let (first, last) = (Timestamp(milliseconds: .min), Timestamp(milliseconds: .max))
        #expect(last + .milliseconds(1) == last)
        #expect(first - .milliseconds(1) == first)
        #expect(first + .seconds(Int64.max) == last)
        #expect(last - .seconds(Int64.max) == first)
        #expect(last - first == .milliseconds(Int64.max) + .milliseconds(Int64.max) + .milliseconds(1))
    }
}
