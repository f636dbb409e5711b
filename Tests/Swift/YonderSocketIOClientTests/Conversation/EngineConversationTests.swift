import Testing
import YonderLink
import YonderModel
import YonderWire

@testable import YonderSocketIOClient

/// The client's side of an Engine.IO session, without a server: lines of calls.
@Suite struct EngineConversationTests {
    typealias Step = EngineConversation.Step

    static let handshake = #"{"sid":"s1","upgrades":["websocket"],"pingInterval":25000,"pingTimeout":20000}"#

    static func answer(_ text: String, status: Int = 200) -> Result<LinkAnswer, LinkClosure> {
        .success(LinkAnswer(status: status, body: Array(text.utf8)))
    }

    static func poll(_ session: String = "&sid=s1", version: Int = 4) -> Step {
        let path = "/socket.io/?EIO=\(version)&transport=polling\(session)"
        var request = LinkRequest(.get, path, limit: EngineConversation.messageLimit)
        request.isRepeatable = false
        return .poll(request)
    }

    static func post(_ body: String, version: Int = 4) -> Step {
        let path = "/socket.io/?EIO=\(version)&transport=polling&sid=s1"
        let type = LinkHeader("Content-Type", "text/plain;charset=UTF-8")
        return .post(LinkRequest(.post, path, headers: [type], body: Array(body.utf8), limit: 4_096))
    }

    static func write(_ text: String) -> Step { .write(Array(text.utf8)) }

    static let socket = Step.openSocket(
        StreamTarget(path: "/socket.io/?EIO=4&transport=websocket&sid=s1")
    )

    static func lost(_ reason: String) -> [Step] { [.closeSocket, .end(.closed(.lost(reason)))] }

    /// A session that is open, by polling.
    static func opened(
        _ transports: SocketIOSettings.Transports = .pollingThenWebSocket,
        _ version: EngineVersion = .four,
        handshake: String = handshake
    ) -> EngineConversation {
        var engine = EngineConversation(ConversationSettings(version: version, transports: transports))
        #expect(engine.begin(at: .zero) == [poll("", version: version.rawValue)])
        let body = version == .four ? "0\(handshake)" : "\(handshake.utf8.count + 1):0\(handshake)"
        let upgrade: [Step] = transports == .polling ? [] : [socket]
        let steps = engine.polled(answer(body), at: .zero)
        if version == .four {
            #expect(steps == [.opened] + upgrade + [poll()])
        } else {
            #expect(steps.contains(.opened) && steps.last == poll(version: 3))
        }
        return engine
    }

    private static let ping = EnginePacket(.message, text: "hello")

    // MARK: Upgrading

    @Test func `invariant 3 of EngineConversation: the upgrade waits for the poll and the post under way`() {
        var engine = Self.opened()
        #expect(engine.send(Self.ping) == [Self.post("4hello")])
        #expect(engine.socketOpened() == [Self.write("2probe")])
        #expect(engine.socketReceived(Array("3probe".utf8), at: .zero) == [])
        #expect(engine.send(EnginePacket(.message, text: "queued")) == [])
        #expect(engine.polled(Self.answer("6"), at: .zero) == [], "No poll follows while the upgrade waits.")
        #expect(!engine.usesSocket)
        #expect(
            engine.posted(Self.answer("ok"), at: .zero) == [Self.write("5"), Self.write("4queued")]
        )
        #expect(engine.usesSocket)
        #expect(engine.send(Self.ping) == [Self.write("4hello")])
    }

    @Test func `invariant 3 of EngineConversation: the last poll's messages come before the upgrade`() {
        var engine = Self.opened()
        _ = engine.socketOpened()
        _ = engine.socketReceived(Array("3probe".utf8), at: .zero)
        let steps = engine.polled(Self.answer("4last\u{1E}6"), at: .zero)
        #expect(steps == [.deliver(Array("last".utf8)), Self.write("5")])
    }

    @Test(arguments: ["3", "4hello", "x", ""])
    func `invariant 4 of EngineConversation: another answer to the probe leaves the session polling`(
        _ text: String
    ) {
        var engine = Self.opened()
        _ = engine.socketOpened()
        #expect(engine.socketReceived(Array(text.utf8), at: .zero) == [.closeSocket])
        #expect(engine.socketReceived(Array("3probe".utf8), at: .zero) == [])
        #expect(engine.socketClosed(.lost("gone"), at: .zero) == [])
        #expect(engine.polled(Self.answer("4on"), at: .zero) == [.deliver(Array("on".utf8)), Self.poll()])
    }

    @Test
    func `invariant 4 of EngineConversation: a WebSocket that ends while the upgrade waits resumes polling`()
    {
        var engine = Self.opened()
        _ = engine.socketOpened()
        #expect(engine.send(Self.ping) == [Self.post("4hello")])
        _ = engine.socketReceived(Array("3probe".utf8), at: .zero)
        #expect(engine.polled(Self.answer("6"), at: .zero) == [])
        #expect(engine.socketClosed(.lost("gone"), at: .zero) == [.closeSocket, Self.poll()])
        #expect(engine.posted(Self.answer("ok"), at: .zero) == [])
        #expect(engine.send(Self.ping) == [Self.post("4hello")])
    }

    @Test func `a WebSocket that can't be opened leaves the session polling`() {
        var engine = Self.opened()
        #expect(engine.socketClosed(.lost("refused"), at: .zero) == [.closeSocket])
        #expect(engine.polled(Self.answer("6"), at: .zero) == [Self.poll()])
    }

    @Test func `an upgrade that isn't decided within 15 seconds is given up`() {
        var engine = Self.opened()
        _ = engine.socketOpened()
        #expect(engine.deadline == .seconds(15))
        #expect(engine.tick(at: .seconds(14)) == [])
        #expect(engine.tick(at: .seconds(15)) == [.closeSocket])
        #expect(engine.deadline == .seconds(45))
    }

    @Test func `a server without an upgrade, and a client that wants none, go on polling`() {
        let plain = Self.handshake.replacing("[\"websocket\"]", with: "[]")
        var engine = EngineConversation(ConversationSettings())
        _ = engine.begin(at: .zero)
        #expect(engine.polled(Self.answer("0\(plain)"), at: .zero) == [.opened, Self.poll()])
        _ = Self.opened(.polling)
    }

    // MARK: Sending

    @Test func `invariants 1 and 2 of EngineConversation: packets wait for the post under way, in order`() {
        var engine = Self.opened(.polling)
        #expect(engine.send(EnginePacket(.message, text: "1")) == [Self.post("41")])
        #expect(engine.send(EnginePacket(.message, text: "2")) == [])
        #expect(engine.send(EnginePacket(.message, text: "3")) == [])
        #expect(engine.posted(Self.answer("ok"), at: .zero) == [Self.post("42\u{1E}43")])
        #expect(engine.posted(Self.answer("ok"), at: .zero) == [])
    }

    @Test func `a post has at most as many bytes as the server accepts`() {
        let small = Self.handshake.dropLast() + #","maxPayload":100}"#
        var engine = Self.opened(.polling, handshake: String(small))
        #expect(engine.packetLimit == 84)
        let forty = String(repeating: "x", count: 40)
        #expect(engine.send(EnginePacket(.message, text: "1")) == [Self.post("41")])
        for _ in 0..<3 { #expect(engine.send(EnginePacket(.message, text: forty)) == []) }
        #expect(engine.posted(Self.answer("ok"), at: .zero) == [Self.post("4\(forty)")])
        #expect(engine.posted(Self.answer("ok"), at: .zero) == [Self.post("4\(forty)")])
        #expect(engine.posted(Self.answer("ok"), at: .zero) == [Self.post("4\(forty)")])
    }

    @Test func `the queue has a bound`() {
        var engine = Self.opened(.polling)
        _ = engine.send(Self.ping)
        #expect(engine.hasRoom(for: EngineConversation.queueLimit * 2), "An empty queue takes any packet.")
        let long = EnginePacket(.message, Array(repeating: 0x78, count: EngineConversation.queueLimit / 2))
        _ = engine.send(long)
        #expect(engine.hasRoom(for: 1_000))
        #expect(!engine.hasRoom(for: EngineConversation.queueLimit / 2))
    }

    // MARK: Heartbeats

    @Test func `invariant 5 of EngineConversation: generation 4 answers pings, and ends after a silence`() {
        var engine = Self.opened(.polling)
        #expect(engine.deadline == .seconds(45))
        #expect(engine.polled(Self.answer("2abc"), at: .seconds(40)) == [Self.post("3abc"), Self.poll()])
        #expect(engine.tick(at: .seconds(45)) == [])
        #expect(engine.deadline == .seconds(85))
        #expect(engine.tick(at: .seconds(85)) == Self.lost("The server sent no heartbeat in time."))
    }

    @Test func `a pong repeats a ping's data up to 64 bytes, and leaves out longer data`() {
        for (count, repeated) in [(64, 64), (65, 0), (1_000, 0)] {
            var engine = Self.opened(.polling)
            let data = String(repeating: "x", count: count)
            let steps = engine.polled(Self.answer("2\(data)"), at: .zero)
            #expect(steps.first == Self.post("3\(data.prefix(repeated))"))
        }
    }

    @Test func `invariant 7 of EngineConversation: while polling, pings without an answer queue one pong`() {
        var engine = Self.opened(.polling)
        let pings = Array(repeating: "2", count: 5).joined(separator: "\u{1E}")
        #expect(engine.polled(Self.answer(pings), at: .seconds(1)) == [Self.post("3"), Self.poll()])
        #expect(engine.polled(Self.answer(pings), at: .seconds(30)) == [Self.poll()])
        #expect(engine.deadline == .seconds(46), "A ping that isn't answered doesn't extend the session.")
        var posted = engine
        #expect(posted.posted(Self.answer("ok"), at: .seconds(31)) == [Self.post("3")])
        #expect(posted.posted(Self.answer("ok"), at: .seconds(32)) == [])
        let reason = "No answer to the server's heartbeat could be sent in time."
        #expect(engine.tick(at: .seconds(46)) == Self.lost(reason))
    }

    @Test func `invariant 7 of EngineConversation: a WebSocket that can't accept more is written one pong`() {
        var engine = EngineConversation(ConversationSettings(transports: .webSocket))
        _ = engine.begin(at: .zero)
        _ = engine.socketOpened()
        _ = engine.socketReceived(Array("0\(Self.handshake)".utf8), at: .zero)
        func ping(_ isWritable: Bool, _ seconds: Int) -> [Step] {
            engine.socketReceived([0x32], isWritable: isWritable, at: .seconds(seconds))
        }
        #expect(ping(true, 1) == [Self.write("3")])
        #expect(ping(false, 2) == [Self.write("3")])
        #expect(ping(false, 3) == [])
        #expect(ping(true, 4) == [Self.write("3")])
        #expect(ping(false, 5) == [Self.write("3")])
        _ = engine.send(Self.ping)
        #expect(ping(false, 6) == [Self.write("3")], "A message was accepted since the last pong.")
        #expect(ping(false, 50) == [])
        let reason = "No answer to the server's heartbeat could be sent in time."
        #expect(engine.tick(at: .seconds(51)) == Self.lost(reason))
    }

    @Test func `invariant 5 of EngineConversation: generation 3 sends pings, and ends without a pong`() {
        var engine = Self.opened(.polling, .three)
        #expect(engine.deadline == .seconds(25))
        #expect(engine.tick(at: .seconds(25)) == [Self.post("1:2", version: 3)])
        #expect(engine.deadline == .seconds(45))
        #expect(engine.polled(Self.answer("1:3"), at: .seconds(26)) == [Self.poll(version: 3)])
        #expect(engine.deadline == .seconds(51))
        _ = engine.tick(at: .seconds(51))
        #expect(engine.tick(at: .seconds(71)) == Self.lost("The server sent no heartbeat in time."))
    }

    @Test func `a server that opens no session within 15 seconds is given up`() {
        var engine = EngineConversation(ConversationSettings())
        _ = engine.begin(at: .seconds(1))
        #expect(engine.deadline == .seconds(16))
        #expect(engine.tick(at: .seconds(16)) == Self.lost("The server didn't open a session in time."))
    }

    // MARK: Ending

    @Test func `a client that leaves sends what is queued, and closes the session`() {
        var engine = Self.opened(.polling)
        #expect(engine.send(Self.ping) == [Self.post("4hello")])
        #expect(engine.leave(at: .seconds(1)) == [])
        #expect(engine.polled(.failure(.lost("gone")), at: .seconds(1)) == [])
        #expect(engine.posted(Self.answer("ok"), at: .seconds(1)) == [Self.post("1")])
        #expect(engine.posted(Self.answer("ok"), at: .seconds(1)) == [.closeSocket, .end(.left)])
        #expect(engine.leave(at: .seconds(2)) == [])
    }

    @Test func `a client that leaves waits at most five seconds for its last post`() {
        var engine = Self.opened(.polling)
        #expect(engine.leave(at: .seconds(1)) == [Self.post("1")])
        #expect(engine.deadline == .seconds(6))
        #expect(engine.tick(at: .seconds(6)) == [.closeSocket, .end(.left)])
    }

    @Test func `a client that leaves during an upgrade leaves by polling`() {
        var engine = Self.opened()
        _ = engine.socketOpened()
        _ = engine.socketReceived(Array("3probe".utf8), at: .zero)
        #expect(engine.leave(at: .zero) == [.closeSocket, Self.post("1")])
    }

    @Test func `invariant 6 of EngineConversation: after the end there are no steps`() {
        var engine = Self.opened()
        _ = engine.send(Self.ping)
        #expect(!engine.end(.closed(.lost("cut"))).isEmpty)
        #expect(engine.deadline == nil)
        #expect(engine.polled(Self.answer("4x"), at: .zero) == [])
        #expect(engine.posted(Self.answer("ok"), at: .zero) == [])
        #expect(engine.socketOpened() == [.closeSocket], "A WebSocket that opens too late is closed.")
        #expect(engine.socketReceived(Array("3probe".utf8), at: .zero) == [])
        #expect(engine.socketClosed(.lost("gone"), at: .zero) == [])
        #expect(engine.tick(at: .seconds(1_000)) == [])
        #expect(engine.send(Self.ping) == [])
    }

    @Test(
        arguments: [
            ("4hello", "The server didn't open a session."),
            ("0{}", "The server's handshake can't be read."),
            (
                #"0{"sid":"a&b","upgrades":[],"pingInterval":1,"pingTimeout":1}"#,
                "The server's handshake can't be read."
            ),
            (
                #"0{"sid":"a","upgrades":[],"pingInterval":-1,"pingTimeout":1}"#,
                "The server's handshake can't be read."
            ),
            ("", "The server's answer to a poll doesn't consist of packets."),
            ("<html>", "The server's answer to a poll doesn't consist of packets."),
        ]
    )
    func `an answer that opens no session ends it`(_ body: String, _ reason: String) {
        var engine = EngineConversation(ConversationSettings())
        _ = engine.begin(at: .zero)
        #expect(engine.polled(Self.answer(body), at: .zero) == Self.lost(reason))
    }

    @Test(
        arguments: [
            #"{"code":5,"message":"Unsupported protocol version"}"#,
            #""The client is using an unsupported version of the Socket.IO or Engine.IO protocols""#,
        ]
    )
    func `a server that doesn't accept the generation ends the client for good`(_ body: String) {
        var engine = EngineConversation(ConversationSettings())
        _ = engine.begin(at: .zero)
        guard
            case .end(.closed(.refused(let error)))? = engine.polled(
                Self.answer(body, status: 400),
                at: .zero
            ).last
        else {
            Issue.record("It wasn't refused.")
            return
        }
        #expect(error.code == .unsupportedVersion)
    }

    @Test(
        arguments: [
            ("<html>", 400), ("", 401), ("", 403), ("", 404), ("", 502), (#"{"code":5}"#, 502), ("{}", 400),
            (#"{"code":0,"message":"Transport unknown"}"#, 400), (#""Invalid transport""#, 400),
            (#"{"code":"5"}"#, 400), (#"{"error":{"code":5}}"#, 400),
        ]
    )
    func `an answer of another program is tried again`(_ body: String, _ status: Int) {
        var engine = EngineConversation(ConversationSettings())
        _ = engine.begin(at: .zero)
        let steps = engine.polled(Self.answer(body, status: status), at: .zero)
        #expect(steps == Self.lost("The server answered \(status): \(body)"))
    }

    @Test func `a server that asks for time gets it`() {
        var engine = EngineConversation(ConversationSettings())
        _ = engine.begin(at: .zero)
        let answer = LinkAnswer(status: 503, headers: [LinkHeader("Retry-After", "7")])
        let closure = LinkClosure.later(.seconds(7), "The server answered 503: ")
        #expect(engine.polled(.success(answer), at: .zero) == [.closeSocket, .end(.closed(closure))])
    }

    @Test func `a session that begins with a WebSocket needs no upgrade`() {
        var engine = EngineConversation(ConversationSettings(transports: .webSocket))
        let target = StreamTarget(path: "/socket.io/?EIO=4&transport=websocket")
        #expect(engine.begin(at: .zero) == [.openSocket(target)])
        #expect(engine.socketOpened() == [])
        #expect(engine.socketReceived(Array("0\(Self.handshake)".utf8), at: .zero) == [.opened])
        #expect(engine.send(Self.ping) == [Self.write("4hello")])
        #expect(
            engine.socketReceived(Array("1".utf8), at: .zero) == Self.lost("The server closed the session.")
        )
    }
}
