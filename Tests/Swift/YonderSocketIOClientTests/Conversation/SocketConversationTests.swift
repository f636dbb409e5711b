import Testing
import YonderLink
import YonderModel
import YonderWire

@testable import YonderSocketIOClient

/// A connection to a namespace, without a server; the callers are numbers.
@Suite struct SocketConversationTests {
    typealias Conversation = SocketConversation<Int>
    typealias Step = Conversation.Step

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func write(_ text: String) -> Step { .engine(.write(Self.text(text))) }

    /// A conversation over a WebSocket whose session is open.
    private static func opened(_ settings: ConversationSettings, entry: String?) -> Conversation {
        var settings = settings
        settings.transports = .webSocket
        var socket = Conversation(settings)
        _ = socket.begin(at: .zero)
        _ = socket.socketOpened(at: .zero)
        let steps = socket.socketReceived(text("0\(EngineConversationTests.handshake)"), at: .zero)
        #expect(steps == (entry.map { [write($0)] } ?? []))
        return socket
    }

    private static func connected() -> Conversation {
        var socket = opened(ConversationSettings(), entry: "40")
        #expect(socket.socketReceived(text(#"40{"sid":"x"}"#), at: .zero) == [.connected])
        return socket
    }

    private static func emit(
        _ socket: inout Conversation,
        _ request: Conversation.Request? = nil,
        at now: Duration = .zero
    ) throws -> [Step] {
        let event = Conversation.Outgoing(name: "a", arguments: [text("1"), text(#""x""#)])
        return try socket.emit(event, request, isWritable: true, at: now)
    }

    private static func request(_ id: UInt64, _ timeout: Duration = .seconds(5)) -> Conversation.Request {
        Conversation.Request(id: id, waiter: Int(id) * 10, timeout: timeout)
    }

    // MARK: Entering

    @Test func `generation 4 enters the namespace with its data`() {
        let settings = ConversationSettings(namespace: "/admin", auth: Self.text(#"{"token":"t"}"#))
        var socket = Self.opened(settings, entry: #"40/admin,{"token":"t"}"#)
        #expect(socket.socketReceived(Self.text(#"40{"sid":"x"}"#), at: .zero) == [], "Another namespace.")
        #expect(socket.socketReceived(Self.text(#"40/admin,{"sid":"x"}"#), at: .zero) == [.connected])
    }

    @Test func `generation 3 is in the main namespace without entering, and enters another one`() {
        var main = Self.opened(ConversationSettings(version: .three), entry: nil)
        #expect(main.socketReceived(Self.text("40"), at: .zero) == [.connected])

        let settings = ConversationSettings(version: .three, namespace: "/admin", auth: Self.text("{}"))
        var other = Self.opened(settings, entry: "40/admin")
        #expect(other.socketReceived(Self.text("40"), at: .zero) == [])
        #expect(other.socketReceived(Self.text("40/admin"), at: .zero) == [.connected])
    }

    @Test(
        arguments: [
            (EngineVersion.four, #"44{"message":"No entry."}"#, "/: No entry."),
            (.three, #"44"No entry.""#, "/: No entry."),
            (.three, #"44{"code":1}"#, #"/: {"code":1}"#),
            (.four, "41", "/: The server disconnected this client."),
        ]
    )
    func `invariant 4 of SocketConversation: a refusal is final`(
        _ version: EngineVersion,
        _ text: String,
        _ reason: String
    ) {
        var socket = Self.opened(ConversationSettings(version: version), entry: version == .four ? "40" : nil)
        let refusal = Ending.closed(.refused(SharingError(.notAllowed, reason)))
        let steps = socket.socketReceived(Self.text(text), at: .zero)
        #expect(steps == [Self.write("1"), .engine(.closeSocket), .end(refusal)])
    }

    @Test
    func `invariant 4 of SocketConversation: a refusal is final, too, if the session is closed with it`() {
        var socket = Conversation(ConversationSettings(transports: .polling))
        _ = socket.begin(at: .zero)
        let body = "0\(EngineConversationTests.handshake)"
        _ = socket.polled(EngineConversationTests.answer(body), at: .zero)
        let steps = socket.polled(EngineConversationTests.answer("41\u{1E}1"), at: .zero)
        let error = SharingError(.notAllowed, "/: The server disconnected this client.")
        #expect(steps.last == .end(.closed(.refused(error))))
    }

    @Test func `a server that doesn't answer the entry within 15 seconds is given up`() {
        var socket = Self.opened(ConversationSettings(), entry: "40")
        #expect(socket.deadline == .seconds(15))
        let reason = "The server didn't answer the entry to /."
        #expect(
            socket.tick(at: .seconds(15)) == [.engine(.closeSocket), .end(.closed(.lost(reason)))]
        )
    }

    // MARK: Events

    @Test func `invariant 1 of SocketConversation: an event is sent in the namespace alone`() throws {
        var early = Self.opened(ConversationSettings(), entry: "40")
        #expect(throws: SharingError.self) { try Self.emit(&early) }
        #expect(early.socketReceived(Self.text(#"42["a"]"#), at: .zero) == [])

        var socket = Self.connected()
        #expect(try Self.emit(&socket) == [Self.write(#"42["a",1,"x"]"#)])
        _ = socket.cut(.lost("cut"), at: .zero)
        #expect(throws: SharingError.self) { try Self.emit(&socket) }
    }

    @Test func `an event that the connection can't accept now isn't sent`() throws {
        var socket = Self.connected()
        let event = Conversation.Outgoing(name: "a", arguments: [])
        let error = #expect(throws: SharingError.self) {
            try socket.emit(event, Self.request(1), isWritable: false, at: .zero)
        }
        #expect(error?.code == .tooManyRequests)
        let long = Conversation.Outgoing(name: "a", arguments: [Array(repeating: 0x31, count: 1 << 20)])
        let other = #expect(throws: SharingError.self) {
            try socket.emit(long, Self.request(1), isWritable: true, at: .zero)
        }
        #expect(other?.code == .tooLarge)
        #expect(socket.cut(.lost("cut"), at: .zero).count == 2, "No caller waits.")
    }

    @Test func `events come with their values, and bytes are left out`() throws {
        var socket = Self.connected()
        let steps = socket.socketReceived(Self.text(#"42["a",1,{"b":[]}]"#), at: .zero)
        guard case .event(let read, nil)? = steps.first else {
            Issue.record("\(steps)")
            return
        }
        #expect(read.name == Self.text("a"))
        #expect(read.arguments.map { Array($0) } == [Self.text("1"), Self.text(#"{"b":[]}"#)])
        let bytes = #"{"_placeholder":true,"num":0}"#
        let picture = socket.socketReceived(Self.text(#"451-["p",\#(bytes)]"#), at: .zero)
        guard case .event(let binary, nil)? = picture.first else {
            Issue.record("\(picture)")
            return
        }
        #expect(binary.arguments.map { Array($0) } == [Self.text(bytes)])
    }

    @Test(arguments: ["4", "49", "42{}", "42[1]", #"42["connect"]"#, "43{}", "4x", "x", #"42["a"]]"#])
    func `a packet that can't be read ends the connection`(_ text: String) {
        var socket = Self.connected()
        guard case .end(.closed(.lost))? = socket.socketReceived(Self.text(text), at: .zero).last else {
            Issue.record("It went on.")
            return
        }
    }

    @Test func `invariant 3 of SocketConversation: an event of the server's is acknowledged once`() throws {
        var socket = Self.connected()
        guard case .event(_, 7?)? = socket.socketReceived(Self.text(#"427["a"]"#), at: .zero).first else {
            Issue.record("No event.")
            return
        }
        func acknowledge() throws -> [Step] {
            try socket.acknowledge(7, with: [Self.text("true")], isWritable: true, at: .zero)
        }
        #expect(try acknowledge() == [Self.write("437[true]")])
        #expect(try acknowledge() == [])
    }

    @Test func `of more than a thousand events that ask for it, the latest thousand can be acknowledged`()
        throws
    {
        var socket = Self.connected()
        for id in 0...1_000 { _ = socket.socketReceived(Self.text(#"42\#(id)["a"]"#), at: .zero) }
        for (id, steps) in [(0, []), (1, [Self.write("431[]")]), (1_000, [Self.write("431000[]")])] {
            #expect(try socket.acknowledge(UInt64(id), with: [], isWritable: true, at: .zero) == steps)
        }
    }

    @Test(arguments: [(1_000, false), (1_001, true)])
    func `an event or an acknowledgement of more than a thousand values ends the connection`(
        _ count: Int,
        _ ends: Bool
    ) throws {
        let values = Array(repeating: "1", count: count).joined(separator: ",")
        for packet in [#"42["a",\#(values)]"#, "431[\(values)]"] {
            var socket = Self.connected()
            _ = try Self.emit(&socket, Self.request(1))
            let steps = socket.socketReceived(Self.text(packet), at: .zero)
            let isOver = if case .end? = steps.last { true } else { false }
            #expect(isOver == ends)
        }
    }

    // MARK: Acknowledgements

    @Test func `invariant 2 of SocketConversation: a caller gets the acknowledgement, and no end after it`()
        throws
    {
        var socket = Self.connected()
        #expect(try Self.emit(&socket, Self.request(3)) == [Self.write(#"423["a",1,"x"]"#)])
        #expect(socket.socketReceived(Self.text("434[]"), at: .zero) == [], "Nobody asked for 4.")
        let outcome = Conversation.Outcome.acknowledged([Self.text("1"), Self.text("null")])
        #expect(socket.socketReceived(Self.text("433[1,null]"), at: .zero) == [.resume(30, outcome)])
        #expect(socket.socketReceived(Self.text("433[1,null]"), at: .zero) == [])
        #expect(socket.tick(at: .seconds(5)) == [])
        #expect(socket.cut(.lost("cut"), at: .zero).count == 2)
    }

    @Test
    func `invariant 2 of SocketConversation: a caller whose time is over gets unknown, and no late answer`()
        throws
    {
        var socket = Self.connected()
        _ = try Self.emit(&socket, Self.request(1, .seconds(9)))
        _ = try Self.emit(&socket, Self.request(2, .seconds(3)))
        _ = try Self.emit(&socket, Self.request(3, .seconds(3)))
        #expect(socket.deadline == .seconds(3))
        let unknown = Conversation.Outcome.unknown("No acknowledgement came in time.")
        #expect(socket.tick(at: .seconds(3)) == [.resume(20, unknown), .resume(30, unknown)])
        #expect(socket.deadline == .seconds(9))
        #expect(socket.socketReceived(Self.text("432[]"), at: .seconds(4)) == [])
    }

    @Test func `invariant 2 of SocketConversation: a cut ends all callers, before the connection's end`()
        throws
    {
        var socket = Self.connected()
        for id in UInt64(1)...3 { _ = try Self.emit(&socket, Self.request(id)) }
        let unknown = Conversation.Outcome.unknown("The connection ended before an acknowledgement came.")
        let steps = socket.socketClosed(.lost("gone"), at: .seconds(1))
        let callers: [Step] = [.resume(10, unknown), .resume(20, unknown), .resume(30, unknown)]
        #expect(steps == [.engine(.closeSocket)] + callers + [.end(.closed(.lost("gone")))])
        #expect(socket.deadline == nil)
    }

    @Test func `invariant 2 of SocketConversation: a canceled caller is returned once`() throws {
        var socket = Self.connected()
        _ = try Self.emit(&socket, Self.request(1))
        #expect(socket.giveUp(1) == [.resume(10, .unknown("The caller was canceled."))])
        #expect(socket.giveUp(1) == [])
        #expect(socket.socketReceived(Self.text("431[]"), at: .zero) == [])
    }

    @Test func `a thousand events may wait for their acknowledgements`() throws {
        var socket = Self.connected()
        for id in UInt64(1)...1_000 { _ = try Self.emit(&socket, Self.request(id)) }
        let error = #expect(throws: SharingError.self) { try Self.emit(&socket, Self.request(1_001)) }
        #expect(error?.code == .tooManyRequests)
        _ = socket.socketReceived(Self.text("431[]"), at: .zero)
        #expect(try Self.emit(&socket, Self.request(1_001)).count == 1)
    }
}
