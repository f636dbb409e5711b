import Testing
import YonderLocation

@testable import YonderReceivers

@Suite struct GpsdSessionTests {
    private let request = "send " + GpsdLines.request
    private let farewell = "send " + GpsdLines.farewell
    private let place = "at 52.850091667,5.313483333"

    private func greeted() -> SessionHarness<GpsdConversation> {
        var gpsd = SessionHarness(GpsdConversation())
        _ = gpsd.start()
        _ = gpsd.opened()
        _ = gpsd.hear(GpsdLines.version, GpsdLines.devices, GpsdLines.watch)
        return gpsd
    }

    @Test func `it connects, asks to watch, tells positions, and says farewell`() {
        var gpsd = SessionHarness(GpsdConversation())

        #expect(gpsd.start() == ["open"])
        #expect(gpsd.opened() == ["wait 10.0 seconds"])
        #expect(gpsd.hear(GpsdLines.version) == [request])
        #expect(gpsd.hear(GpsdLines.devices, GpsdLines.watch) == ["always"])
        #expect(gpsd.hear(GpsdLines.fix) == [place])
        #expect(gpsd.stop() == [farewell, "close"])
        #expect(gpsd.session.authorization == .always)
        #expect(gpsd.start() == ["open"])
    }

    @Test func `starting twice and stopping twice is as once`() {
        var gpsd = SessionHarness(GpsdConversation())
        #expect(gpsd.start() == ["open"])
        #expect(gpsd.start() == [])
        #expect(gpsd.stop() == ["close"])
        #expect(gpsd.stop() == [])
    }

    @Test func `a named device is asked for, and others don't matter`() {
        var gpsd = SessionHarness(GpsdConversation(device: "/dev/pts/9"))
        _ = gpsd.start()
        _ = gpsd.opened()
        let watch = #"send ?WATCH={"enable":true,"json":true,"scaled":true,"device":"/dev/pts/9"};"#
        #expect(gpsd.hear(GpsdLines.version) == [watch])
        #expect(gpsd.hear(GpsdLines.devices) == ["sourceLost"])
        #expect(gpsd.hear(GpsdLines.fix) == [])
        #expect(gpsd.hear(GpsdLines.fix.replacing("pts/7", with: "pts/9")) == ["always", place])
    }

    @Test func `no fix is told once until there is one`() {
        var gpsd = greeted()
        #expect(gpsd.hear(GpsdLines.noFix, GpsdLines.noFix) == ["no fix"])
        #expect(gpsd.hear(GpsdLines.noFix) == [])
        #expect(gpsd.hear(GpsdLines.fix) == [place])
        #expect(gpsd.hear(GpsdLines.noFix) == ["no fix"])
    }

    @Test func `a device that goes is lost, and found again when it comes back`() {
        var gpsd = greeted()
        #expect(gpsd.hear(GpsdLines.gone) == ["notDetermined", "sourceLost"])
        #expect(gpsd.hear(GpsdLines.gone, GpsdLines.noDevices) == [])
        #expect(gpsd.hear(GpsdLines.found) == ["always"])
        #expect(gpsd.hear(GpsdLines.noDevices) == ["notDetermined", "sourceLost"])
        #expect(gpsd.hear(GpsdLines.fix) == ["always", place])
    }

    @Test func `a device that gpsd doesn't know is asked for again and again`() {
        var gpsd = SessionHarness(GpsdConversation(device: "/dev/pts/7"))
        _ = gpsd.start()
        _ = gpsd.opened()
        let request = #"send ?WATCH={"enable":true,"json":true,"scaled":true,"device":"/dev/pts/7"};"#
        #expect(gpsd.hear(GpsdLines.version, GpsdLines.unknownDevice) == [request, "sourceLost"])
        for _ in 0..<3 {
            #expect(gpsd.waited() == [request, "wait 10.0 seconds"])
            #expect(gpsd.hear(GpsdLines.unknownDevice) == [])
        }
        #expect(gpsd.hear(GpsdLines.devices, GpsdLines.watch, GpsdLines.fix) == ["always", place])
    }

    @Test func `other complaints are passed on`() {
        var gpsd = greeted()
        let complaint = #"{"class":"ERROR","message":"Unrecognized request 'X'"}"#
        #expect(gpsd.hear(complaint) == ["positionUnavailable"])
        #expect(gpsd.hear(GpsdLines.fix) == [place])
    }

    @Test func `a daemon that goes is looked for more and more rarely, and found by itself`() {
        var gpsd = greeted()
        #expect(gpsd.closed() == ["notDetermined", "sourceLost", "retry 0.5 seconds"])
        #expect(gpsd.waited() == ["open"])
        #expect(gpsd.closed() == ["sourceLost", "retry 1.0 seconds"])
        #expect(gpsd.waited() == ["open"])
        #expect(gpsd.closed() == ["sourceLost", "retry 2.0 seconds"])
        #expect(gpsd.waited() == ["open"])
        #expect(gpsd.closed() == ["sourceLost", "retry 4.0 seconds"])
        #expect(gpsd.waited() == ["open"])
        #expect(gpsd.closed() == ["sourceLost", "retry 4.0 seconds"])
        #expect(gpsd.waited() == ["open"])
        _ = gpsd.opened()
        #expect(gpsd.hear(GpsdLines.version, GpsdLines.devices, GpsdLines.fix) == [request, "always", place])
        #expect(gpsd.closed() == ["notDetermined", "sourceLost", "retry 0.5 seconds"])
    }

    @Test func `a start doesn't wait for the next try, and a stop ends it`() {
        var gpsd = greeted()
        _ = gpsd.closed()
        #expect(gpsd.start() == ["open"])
        _ = gpsd.closed()
        #expect(gpsd.stop() == [])
        #expect(gpsd.waited() == [])
        #expect(gpsd.opened() == [])
        #expect(gpsd.hear(GpsdLines.fix) == [])
        #expect(gpsd.closed() == [])
    }

    @Test(arguments: [
        "SSH-2.0-OpenSSH_9.2", "HTTP/1.1 400 Bad Request", "{}", GpsdLines.fix,
        #"{"class":"VERSION","proto_major":9}"#, #"{"class":"VERSION"}"#, "",
    ]) func `a server without gpsd's greeting isn't gpsd`(_ line: String) {
        var gpsd = SessionHarness(GpsdConversation())
        _ = gpsd.start()
        _ = gpsd.opened()
        #expect(gpsd.hear(line, GpsdLines.version) == ["sourceUnreadable", "close", "retry 0.5 seconds"])
        #expect(gpsd.waited() == ["open"])
    }

    @Test func `a greeting without end isn't read to its end`() {
        var gpsd = SessionHarness(GpsdConversation())
        _ = gpsd.start()
        _ = gpsd.opened()
        let endless = [UInt8](repeating: UInt8(ascii: "x"), count: GpsdConversation.longestLine + 1)
        let actions = gpsd.session.received(endless.span, at: gpsd.now)
        #expect(actions.count == 3)
        #expect(!gpsd.session.isOpen)
    }

    @Test func `garbage and overlong lines after the greeting are passed over`() {
        var gpsd = greeted()
        let overlong = #"{"class":"TPV","mode":3,"x":""# + String(repeating: "y", count: 20_000) + #""}"#
        #expect(gpsd.hear("garbage", overlong, "", #"{"class":"TPV","mode":"?"}"#, GpsdLines.fix) == [place])
    }

    @Test func `a silent receiver is told once, and the daemon is asked whether it is still there`() {
        var gpsd = greeted()
        _ = gpsd.hear(GpsdLines.fix)
        #expect(gpsd.waited() == ["wait 10.0 seconds"])
        #expect(gpsd.waited() == ["positionUnavailable", request, "wait 10.0 seconds"])
        #expect(gpsd.hear(GpsdLines.devices, GpsdLines.watch) == [])
        #expect(gpsd.waited() == [request, "wait 10.0 seconds"])
        #expect(gpsd.hear(GpsdLines.fix) == [place])
        #expect(gpsd.waited() == ["wait 10.0 seconds"])
        #expect(gpsd.waited() == ["positionUnavailable", request, "wait 10.0 seconds"])
        #expect(gpsd.waited() == ["notDetermined", "sourceLost", "close", "retry 0.5 seconds"])
    }

    @Test func `a silent server is left`() {
        var gpsd = SessionHarness(GpsdConversation())
        _ = gpsd.start()
        _ = gpsd.opened()
        #expect(gpsd.waited() == ["sourceLost", "close", "retry 0.5 seconds"])
    }

    @Test func `asking for permission finds out and powers down again`() {
        var gpsd = SessionHarness(GpsdConversation())
        #expect(gpsd.ask() == ["open"])
        #expect(gpsd.ask() == [])
        #expect(gpsd.closed() == ["sourceLost", "retry 0.5 seconds"])
        #expect(gpsd.waited() == ["open"])
        _ = gpsd.opened()
        #expect(gpsd.hear(GpsdLines.version) == [request])
        #expect(gpsd.hear(GpsdLines.devices, GpsdLines.fix) == ["always", farewell, "close"])
        #expect(gpsd.ask() == [])
    }

    @Test func `asking while started goes on after a stop`() {
        var gpsd = SessionHarness(GpsdConversation())
        _ = gpsd.start()
        #expect(gpsd.ask() == [])
        #expect(gpsd.stop() == [])
        #expect(gpsd.closed(.refused) == ["denied", "notAuthorized"])
        #expect(gpsd.waited() == [])
    }

    @Test func `a cancelled request isn't answered`() {
        var gpsd = SessionHarness(GpsdConversation())
        #expect(gpsd.ask() == ["open"])
        #expect(gpsd.abandon() == ["close"])
        #expect(gpsd.waited() == [])
    }

    @Test func `a request after a refusal checks the permission again`() {
        var gpsd = SessionHarness(GpsdConversation())
        #expect(gpsd.ask() == ["open"])
        #expect(gpsd.closed(.refused) == ["denied", "notAuthorized"])
        #expect(gpsd.ask() == ["open"])
        #expect(gpsd.closed(.refused) == ["notAuthorized"])
        #expect(gpsd.ask() == ["open"])
        _ = gpsd.opened()
        #expect(gpsd.hear(GpsdLines.version, GpsdLines.devices) == [request, "always", farewell, "close"])
    }

    @Test func `a connection that the system forbids is denied, and tried again`() {
        var gpsd = SessionHarness(GpsdConversation())
        _ = gpsd.start()
        #expect(gpsd.closed(.refused) == ["denied", "notAuthorized", "retry 0.5 seconds"])
        #expect(gpsd.waited() == ["open"])
        _ = gpsd.opened()
        #expect(gpsd.hear(GpsdLines.version, GpsdLines.devices) == [request, "always"])
    }
}
