import Foundation
import Testing
import YonderLink
import YonderWire

@testable import YonderSocketIOClient

/// Conversations recorded from servers of python-socketio, played to the value that decides.
@Suite struct RecordedConversationTests {
    @Test(arguments: [EngineVersion.three, .four], SocketIOSettings.Transports.all)
    func `the client does to recorded answers what it did`(
        _ version: EngineVersion,
        _ transports: SocketIOSettings.Transports
    ) throws {
        let name = "engine\(version.rawValue)-\(transports.name)"
        let text = try String(contentsOf: Recording.file(name), encoding: .utf8)
        var replay = Replay(ConversationSettings(version: version, transports: transports))
        replay.begin()
        for line in text.split(separator: "\n") where !line.hasPrefix("#") { try replay.play(line) }
        for (kind, expected) in replay.expected { #expect(replay.done[kind] == expected, "\(name): \(kind)") }
        #expect(replay.expected.count > 3 && Set(replay.expected.keys).isSuperset(of: replay.done.keys))
        #expect(replay.ending == .left)
    }
}

/// Plays a recording: the server's lines and the app's calls are passed to a conversation, the others are compared with its steps.
private struct Replay {
    /// What was recorded of each kind of line, and what the conversation did, in order.
    var expected: [String: [String]] = [:]
    var done: [String: [String]] = [:]
    var ending: Ending?
    private var conversation: SocketConversation<UInt64>

    init(_ settings: ConversationSettings) {
        conversation = SocketConversation(settings)
    }

    mutating func begin() { follow(conversation.begin(at: .zero)) }

    mutating func play(_ line: Substring) throws {
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        let rest = words.count > 2 ? words[2] : ""
        switch (words[0], words[1]) {
        case (">", let kind), ("~", let kind): expected[kind, default: []].append(rest)
        case ("<", "poll"): follow(conversation.polled(.success(try answer(rest)), at: .zero))
        case ("<", "post"): follow(conversation.posted(.success(try answer(rest)), at: .zero))
        case ("<", "opened"): follow(conversation.socketOpened(at: .zero))
        case ("<", "text"): follow(conversation.socketReceived(try text(rest), at: .zero))
        case ("=", "emit"): try emit(rest)
        case ("=", "leave"): follow(conversation.leave(at: .zero))
        default: Issue.record("\(line)")
        }
    }

    private func text(_ json: some StringProtocol) throws -> [UInt8] {
        try #require(Recording.unquoted(json))
    }

    private func answer(_ rest: String) throws -> LinkAnswer {
        let parts = rest.split(separator: " ", maxSplits: 1)
        return LinkAnswer(status: try #require(Int(parts[0])), body: try text(parts[1]))
    }

    private mutating func emit(_ rest: String) throws {
        let parts = rest.split(separator: " ", maxSplits: 1)
        let id = try #require(UInt64(parts[0]))
        let event = try SocketPacket(.event, json: Array(parts[1].utf8)).event()
        let outgoing = SocketConversation<UInt64>.Outgoing(
            name: String(decoding: event.name, as: UTF8.self),
            arguments: event.arguments.map { Array($0) }
        )
        let request = SocketConversation<UInt64>.Request(id: id, waiter: id, timeout: .seconds(60))
        follow(try conversation.emit(outgoing, request, isWritable: true, at: .zero))
    }

    private mutating func did(_ kind: String, _ what: String) { done[kind, default: []].append(what) }

    private mutating func follow(_ steps: [SocketConversation<UInt64>.Step]) {
        for step in steps {
            switch step {
            case .engine(.poll(let request)): did("poll", request.path)
            case .engine(.post(let request)): did("post", "\(request.path) \(Recording.quoted(request.body))")
            case .engine(.openSocket(let target)): did("open", target.path)
            case .engine(.write(let text)): did("write", Recording.quoted(text))
            case .engine, .connected: break
            case .event(let event, let id): follow(event, id)
            case .resume(let id, .acknowledged(let values)): did("acknowledged", "\(id) \(Self.json(values))")
            case .resume(let id, .unknown(let reason)): Issue.record("\(id): \(reason)")
            case .end(let ending): self.ending = ending
            }
        }
    }

    /// Keeps an event, and answers the one that asks for an acknowledgement, as the app of the recording did.
    private mutating func follow(_ event: SocketEvent, _ id: UInt64?) {
        let name = Recording.quoted(event.name)
        did(
            "event",
            "[\(([name] + event.arguments.map { String(decoding: $0, as: UTF8.self) }).joined(separator: ","))]"
        )
        guard let id else { return }
        let steps = try? conversation.acknowledge(id, with: [Array("43".utf8)], isWritable: true, at: .zero)
        follow(steps ?? [])
    }

    private static func json(_ values: [[UInt8]]) -> String {
        "[\(values.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ","))]"
    }
}

extension SocketIOSettings.Transports {
    static let all: [Self] = [.polling, .webSocket, .pollingThenWebSocket]

    /// The name in files.
    var name: String {
        switch self {
        case .polling: "polling"
        case .webSocket: "websocket"
        case .pollingThenWebSocket: "upgrade"
        }
    }
}
