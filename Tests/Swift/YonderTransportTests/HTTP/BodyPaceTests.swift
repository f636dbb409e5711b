import NIOCore
import Testing

@testable import YonderTransport

@Suite struct BodyPaceTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

    private func settings(_ rate: Int = 10_000) -> BodyPace.Settings {
        var settings = BodyPace.Settings()
        settings.bytesPerSecond = rate
        return settings
    }

    @Test func `a body has ten seconds and as long as its size takes at 10 kB a second`() {
        var pace = BodyPace(settings(), length: 2_000_000, at: start)
        #expect(pace.nextLook == start + .seconds(10))
        pace.received(1_000_000)
        let early = pace.look(at: start + .seconds(209), isAwaited: true)
        pace.received(100_000)
        let late = pace.look(at: start + .seconds(210), isAwaited: true)
        #expect(early && !late)
    }

    @Test func `a length that is never meant to come buys no time`() {
        var pace = BodyPace(settings(), length: .max, at: start)
        pace.received(9_999)
        let goesOn = pace.look(at: start + .seconds(10), isAwaited: true)
        #expect(!goesOn)
    }

    @Test func `an import of 256 MiB still goes at 10 kB a second`() {
        let length = 256 << 20
        var pace = BodyPace(settings(), length: length, at: start)
        let looks = (1...length / 100_000).map { place in
            pace.received(100_000)
            return pace.look(at: start + .seconds(Int64(place) * 10), isAwaited: true)
        }
        #expect(looks.allSatisfy { $0 })
    }

    @Test func `without a length each ten seconds must bring 10 kB`() {
        var pace = BodyPace(settings(), length: nil, at: start)
        pace.received(10_000)
        let first = pace.look(at: start + .seconds(10), isAwaited: true)
        pace.received(9_999)
        let second = pace.look(at: start + .seconds(20), isAwaited: true)
        #expect(first && !second)
    }

    @Test func `time in which the server doesn't read isn't the client's`() {
        var pace = BodyPace(settings(), length: 1, at: start)
        let held = (1...30).map { pace.look(at: start + .seconds(Int64($0) * 10), isAwaited: false) }
        #expect(held.allSatisfy { $0 })
        let ends = pace.look(at: start + .seconds(311), isAwaited: true)
        #expect(!ends)
    }

    @Test func `a rate of 0 is none`() {
        var pace = BodyPace(settings(0), length: 1, at: start)
        let goesOn = pace.look(at: start + .hours(24), isAwaited: true)
        #expect(goesOn)
    }

    @Test func `a person has so many open bodies and no more, and others have theirs`() {
        let counts = OpenBodies(limit: 2)
        #expect(counts.take(1) && counts.take(1) && !counts.take(1) && counts.take(2))
        counts.giveBack(1)
        #expect(counts.take(1) && !counts.take(1))
    }
}
