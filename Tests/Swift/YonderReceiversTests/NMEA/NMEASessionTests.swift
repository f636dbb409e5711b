import Testing
import YonderLocation

@testable import YonderReceivers

@Suite struct NMEASessionTests {
    private func opened(hangsUpWhenSilent: Bool = false) -> SessionHarness<NMEAConversation> {
        var receiver = SessionHarness(NMEAConversation(hangsUpWhenSilent: hangsUpWhenSilent))
        #expect(receiver.start() == ["open"])
        #expect(receiver.opened() == ["wait 10.0 seconds", "always"])
        return receiver
    }

    @Test func `a device that can be opened is permitted, and tells positions`() throws {
        var receiver = opened()
        let actions = receiver.hear(NMEALines.fix, NMEALines.nextFix)
        #expect(actions.count >= 1 && actions.allSatisfy { $0.hasPrefix("at 41.72676") })
        #expect(receiver.stop() == ["close"])
    }

    @Test func `the last epoch is told when the device closes`() {
        var receiver = opened()
        let heard = receiver.hear(NMEALines.fix)
        let closed = receiver.closed()
        #expect((heard + closed).filter { $0.hasPrefix("at") }.count == 1)
        #expect(closed.suffix(3) == ["notDetermined", "sourceLost", "retry 0.5 seconds"])
    }

    @Test func `no fix is told once until there is one`() {
        var receiver = opened()
        let first = receiver.hear(
            NMEALines.noFix,
            NMEALines.noFix.replacing("212607.891,V", with: "212608.891,V")
        )
        #expect(first.filter { $0 == "no fix" }.count <= 1)
    }

    @Test func `data other than NMEA is reported, until a sentence comes`() {
        var receiver = opened()
        let noise = String(repeating: "~", count: 3000)
        #expect(receiver.hear(noise) == [])
        #expect(receiver.hear(noise) == ["sourceUnreadable"])
        #expect(receiver.hear(noise) == [])
        #expect(receiver.hear(noise) == ["sourceUnreadable"])
        _ = receiver.hear(NMEALines.fix)
        #expect(receiver.hear(noise, noise, noise).allSatisfy { $0.hasPrefix("at") })
    }

    @Test func `a silent device is told once, a silent connection is made anew`() {
        var device = opened()
        #expect(device.waited() == ["positionUnavailable", "wait 10.0 seconds"])
        #expect(device.waited() == ["wait 10.0 seconds"])
        var connection = opened(hangsUpWhenSilent: true)
        #expect(connection.waited() == ["notDetermined", "sourceLost", "close", "retry 0.5 seconds"])
    }

    @Test func `a server that closes at once isn't hammered`() {
        var receiver = opened(hangsUpWhenSilent: true)
        #expect(receiver.closed().last == "retry 0.5 seconds")
        #expect(receiver.waited() == ["open"])
        _ = receiver.opened()
        #expect(receiver.closed().last == "retry 1.0 seconds")
    }

    @Test func `asking for permission opens a device and closes it again`() {
        var receiver = SessionHarness(NMEAConversation(hangsUpWhenSilent: false))
        #expect(receiver.ask() == ["open"])
        #expect(receiver.opened() == ["wait 10.0 seconds", "always", "close"])
    }

    @Test func `an end is the end, and told again at another start`() {
        var receiver = opened()
        #expect(receiver.closed(.ended) == ["sourceEnded"])
        #expect(receiver.waited() == [])
        #expect(receiver.stop() == [])
        #expect(receiver.start() == ["sourceEnded"])
    }
}
