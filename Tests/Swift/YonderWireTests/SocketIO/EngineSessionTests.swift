import Testing
import YonderWire

@Suite struct EngineSessionTests {
    private func session(_ version: EngineVersion, _ transport: EngineSession.Transport) -> EngineSession {
        EngineSession(
            version: version,
            transport: transport,
            pingInterval: .seconds(25),
            pingTimeout: .seconds(20),
            holdLimit: 1000
        )
    }

    private let hello = EnginePacket(.message, text: "hello")

    @Test func `a poll waits until there is something to say`() {
        var session = session(.four, .polling)
        #expect(session.poll() == .wait)
        #expect(session.send(hello) == .hold)
        #expect(session.hasAnswer)
        #expect(session.takePoll() == [hello])
        #expect(session.takePoll() == nil)
    }

    @Test func `invariant 3 of EngineSession: a poll is answered at once with what was held`() {
        var session = session(.four, .polling)
        #expect(session.send(hello) == .hold)
        #expect(!session.hasAnswer)
        #expect(session.poll() == .answer)
        #expect(session.takePoll() == [hello])
        #expect(session.heldBytes == 0)
    }

    @Test func `invariant 2 of EngineSession: a second poll is a conflict, and polling a WebSocket refused`()
    {
        var polling = session(.four, .polling)
        #expect(polling.poll() == .wait)
        #expect(polling.poll() == .conflict)
        var webSocket = session(.four, .webSocket)
        #expect(webSocket.poll() == .refuse)
    }

    @Test func `invariant 4 of EngineSession: a session without polls ends when too much is held`() {
        var session = session(.four, .polling)
        var count = 0
        while session.send(hello) == .hold { count += 1 }
        #expect(count == 1000 / hello.memory && hello.memory > 5 + 96)
        #expect(session.send(hello) == .overflow)
    }

    @Test
    func `invariants 1 and 3 of EngineSession: the upgrade: probe, polls that end at once, and the change`() {
        var session = session(.four, .polling)
        #expect(session.poll() == .wait)
        #expect(session.offerCandidate() == true)
        #expect(session.offerCandidate() == false)
        #expect(session.receive(.ping, isProbe: true, from: .candidate) == .answerProbe)
        #expect(session.takePoll() == [EnginePacket(.noop)])
        #expect(session.poll() == .answer)
        #expect(session.takePoll() == [EnginePacket(.noop)])
        #expect(session.send(hello) == .hold)
        #expect(session.receive(.upgrade, isProbe: false, from: .candidate) == .upgrade)
        #expect(session.takeHeld() == [hello])
        #expect(session.send(hello) == .write)
        #expect(session.receive(.message, isProbe: false, from: .transport(.webSocket)) == .deliver)
        #expect(session.receive(.message, isProbe: false, from: .transport(.polling)) == .ignore)
        #expect(!session.canUpgrade)
        #expect(session.poll() == .refuse)
    }

    @Test
    func
        `invariant 5 of EngineSession: a candidate may say nothing but the probe and the upgrade, in this order`()
    {
        for kind in [EnginePacket.Kind.message, .upgrade, .pong, .close] {
            var session = session(.four, .polling)
            #expect(session.offerCandidate() == true)
            #expect(session.receive(kind, isProbe: false, from: .candidate) == .dropCandidate)
        }
        var session = session(.four, .polling)
        #expect(session.offerCandidate() == true)
        #expect(session.receive(.ping, isProbe: false, from: .candidate) == .dropCandidate)
        session.dropCandidate()
        #expect(session.canUpgrade)
    }

    @Test
    func `invariant 6 of EngineSession, generation 4: the server pings, and gives up who doesn't answer`() {
        var session = session(.four, .webSocket)
        #expect(session.heartbeatDelay == .seconds(25))
        #expect(session.heartbeat() == .ping)
        #expect(session.heartbeatDelay == .seconds(20))
        #expect(session.receive(.pong, isProbe: false, from: .transport(.webSocket)) == .heard)
        #expect(session.heartbeatDelay == .seconds(25))
        #expect(session.heartbeat() == .ping)
        #expect(session.heartbeat() == .end)
        #expect(session.receive(.ping, isProbe: false, from: .transport(.webSocket)) == .refuse)
    }

    @Test
    func `invariant 6 of EngineSession, generation 3: the client pings, and is given up when it doesn't`() {
        var session = session(.three, .webSocket)
        #expect(session.heartbeatDelay == .seconds(45))
        #expect(session.receive(.ping, isProbe: false, from: .transport(.webSocket)) == .answerPing)
        session.heartbeatRestarted()
        #expect(session.receive(.message, isProbe: false, from: .transport(.webSocket)) == .deliver)
        #expect(session.heartbeat() == .wait)
        #expect(session.heartbeat() == .end)
        #expect(session.receive(.pong, isProbe: false, from: .transport(.webSocket)) == .refuse)
    }

    @Test func `a client may end it`() {
        var session = session(.four, .polling)
        #expect(session.receive(.close, isProbe: false, from: .transport(.polling)) == .end)
    }
}
