import TestSupport
import Hummingbird
import HummingbirdCore
import HummingbirdTesting
import Logging
import NIOCore
import NIOPosix
import Synchronization
import Testing
import YonderHub
import YonderModel
import YonderSocketIO
import YonderTransport
import YonderWorld

@testable import YonderServer

/// The Socket.IO transport and the world on it, seen from a client.
@Suite(.timeLimit(.minutes(20))) struct SocketIOServerTests {
    @Test func `a WebSocket is greeted, let into the world, and acknowledged`() async throws {
        try await serving { server in
            try await RawClient.connected(to: server) { client in
                let greeting = try await client.openSocket("EIO=4&transport=websocket")
                #expect(greeting.hasPrefix(#"0{"sid":""#))
                #expect(greeting.contains(#""upgrades":[]"#))
                try await client.say("40")
                #expect(try await client.hear().hasPrefix(#"40{"sid":""#))
                try await client.say(#"427["location","59.9139,10.7522"]"#)
                #expect(try await client.hear() == "437[{}]")
                try await client.say(#"428["location","north"]"#)
                #expect(try await client.hear().hasPrefix(#"438[{"error":{"code":"invalidField""#))
                try await client.say(#"429["sing"]"#)
                #expect(try await client.hear().hasPrefix(#"439[{"error":{"code":"invalidField""#))
            }
        }
    }

    @Test func `generation 3 is in the world at once`() async throws {
        try await serving { server in
            try await RawClient.connected(to: server) { client in
                _ = try await client.openSocket("EIO=3&transport=websocket")
                #expect(try await client.hear() == "40")
                try await client.say("2")
                #expect(try await client.hear() == "3")
            }
        }
    }

    @Test func `a newcomer who polls is shown who is there, and sees them move and go`() async throws {
        try await serving { server in
            try await RawClient.connected(to: server) { walker in
                _ = try await walker.openSocket("EIO=4&transport=websocket")
                try await walker.say("40")
                _ = try await walker.hear()
                try await walker.say(#"421["location","1,2"]"#)
                _ = try await walker.hear()

                try await RawClient.connected(to: server) { poller in
                    let greeting = try await poller.get("EIO=4&transport=polling")
                    let sid = try #require(greeting.split(separator: "\"").dropFirst(3).first)
                    let session = "EIO=4&transport=polling&sid=\(sid)"
                    #expect(try await poller.post(session, "40") == "ok")
                    let seen = try await poller.poll(session, until: "update")
                    #expect(seen.contains(#"42["join",""#))
                    #expect(seen.contains(#":1,2"]"#))
                    try await walker.say(#"422["location","1,3"]"#)
                    #expect(try await poller.poll(session, until: "update").contains(#":1,3"]"#))
                    try await walker.say("41")
                    #expect(try await poller.poll(session, until: "disappear").contains(#"42["disappear",""#))
                }
            }
        }
    }

    @Test func `a polling session goes on as a WebSocket, on any event loop`() async throws {
        try await serving { server in
            for _ in 0..<4 {
                let sid = try await RawClient.connected(to: server) { client in
                    let greeting = try await client.get("EIO=4&transport=polling")
                    return String(try #require(greeting.split(separator: "\"").dropFirst(3).first))
                }
                try await RawClient.connected(to: server) { client in
                    try await client.upgrade("EIO=4&transport=websocket&sid=\(sid)")
                    try await client.say("2probe")
                    #expect(try await client.hear() == "3probe")
                    try await client.say("5")
                    try await client.say("40")
                    #expect(try await client.hear().hasPrefix("40{"))
                    try await client.say(#"421["location","1,2"]"#)
                    #expect(try await client.hear() == "431[{}]")
                }
            }
        }
    }

    @Test func `a world that is closed lets nobody in`() async throws {
        try await serving(HubSettings(world: WorldSettings(access: .members))) { server in
            try await RawClient.connected(to: server) { client in
                _ = try await client.openSocket("EIO=4&transport=websocket")
                try await client.say("40")
                let refusal = #"44{"message":"The world is open to accounts only: sign in first."}"#
                #expect(try await client.hear() == refusal)
            }
        }
    }

    @Test func `more packets than the rate are refused`() async throws {
        try await serving(HubSettings(world: WorldSettings(packetsPerSecond: 2))) { server in
            try await RawClient.connected(to: server) { client in
                _ = try await client.openSocket("EIO=4&transport=websocket")
                try await client.say("40")
                _ = try await client.hear()
                // In one piece, so that no time passes between them, however slow the machine is.
                let moves = (0..<60).map { #"421["location","1,\#($0)"]"# }
                try await client.send(moves.flatMap { clientFrame(1, Array($0.utf8)) })
                var answers: [String] = []
                for _ in moves { answers.append(try await client.hear()) }
                #expect(answers.first == "431[{}]")
                #expect(answers.contains { $0.contains("tooManyRequests") })
            }
        }
    }

    @Test func `a refused event counts for the rate as a move does`() async throws {
        try await serving(HubSettings(world: WorldSettings(packetsPerSecond: 2))) { server in
            try await RawClient.connected(to: server) { client in
                _ = try await client.openSocket("EIO=4&transport=websocket")
                try await client.say("40")
                _ = try await client.hear()
                // In one piece, so that no time passes between them, however slow the machine is.
                let events = (0..<60).map { _ in #"421["a"]"# }
                try await client.send(events.flatMap { clientFrame(1, Array($0.utf8)) })
                var answers: [String] = []
                for _ in events { answers.append(try await client.hear()) }
                #expect(answers.first?.contains("The event must be location") == true)
                #expect(answers.contains { $0.contains("tooManyRequests") })
            }
        }
    }

    @Test func `a trace has each packet's kinds and size, and the session's number`() async throws {
        let packets = Mutex<[PacketTrace]>([])
        try await serving(trace: { packet in packets.withLock { $0.append(packet) } }) { server in
            try await RawClient.connected(to: server) { client in
                _ = try await client.openSocket("EIO=4&transport=websocket")
                try await client.say("40")
                _ = try await client.hear()
                try await client.say(#"421["location","1,2"]"#)
                #expect(try await client.hear() == "431[{}]")
            }
        }
        let seen = packets.withLock { $0 }.map { packet in
            let kind = ["\(packet.kind)"] + (packet.socketKind.map { ["\($0)"] } ?? [])
            // The first two have random ids of lengths that vary.
            let size = kind == ["open"] || kind == ["message", "connect"] ? "" : " \(packet.bytes)"
            return "\(packet.session) \(packet.way) \(kind.joined(separator: "/"))\(size)"
        }
        #expect(
            seen == [
                "1 sent open", "1 received message/connect", "1 sent message/connect",
                "1 received message/event 20", "1 sent message/acknowledgement 6",
            ]
        )
    }

    @Test func `a trace of a session that polls has what is broadcast, and what is sent to another`()
        async throws
    {
        let packets = Mutex<[PacketTrace]>([])
        try await serving(trace: { packet in packets.withLock { $0.append(packet) } }) { server in
            try await RawClient.connected(to: server) { walker in
                _ = try await walker.openSocket("EIO=4&transport=websocket")
                try await walker.say("40")
                _ = try await walker.hear()
                try await RawClient.connected(to: server) { poller in
                    let greeting = try await poller.get("EIO=4&transport=polling")
                    let sid = try #require(greeting.split(separator: "\"").dropFirst(3).first)
                    let session = "EIO=4&transport=polling&sid=\(sid)"
                    #expect(try await poller.post(session, "40") == "ok")
                    _ = try await poller.poll(session, until: "join")
                    try await walker.say(#"422["location","1,3"]"#)
                    _ = try await poller.poll(session, until: "update")
                }
            }
        }
        let seen = packets.withLock { $0 }.map { packet in
            "\(packet.session) \(packet.way) " + (packet.socketKind.map { "\($0)" } ?? "\(packet.kind)")
        }
        #expect(seen.filter { $0.hasPrefix("2") }.prefix(2) == ["2 sent open", "2 received connect"])
        #expect(seen.count { $0 == "2 sent event" } >= 2 && seen.contains("1 sent event"))
    }

    // MARK: The server

    private func serving(
        _ settings: HubSettings = HubSettings(),
        trace: (@Sendable (PacketTrace) -> Void)? = nil,
        _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let store = MemoryStore()
        let exchange = try await Exchange.start(
            chats: store,
            accounts: store,
            group: group,
            settings: settings,
            logger: Logger(label: "test")
        )
        let world = WorldNamespace.namespace(of: exchange, packetLimit: settings.world.packetLimit)
        // Patient, as the connections are.
        var patient = SocketIOServer.Settings()
        patient.engine.pingInterval = .seconds(3_600)
        patient.engine.upgradeTimeout = .hours(1)
        patient.connectTimeout = .hours(1)
        patient.engine.trace = trace
        let socketIO = SocketIOServer(settings: patient, group: group, namespaces: ["/": world])
        let router = Router()
        socketIO.engine.addRoutes(to: router)
        let application = Application(
            router: router,
            server: .upgradable(settings: .patient) { await socketIO.engine.decide($0) ?? .refuse },
            eventLoopGroupProvider: .shared(group)
        )
        try await application.test(.live) { client in try await body(client.port ?? 0) }
    }
}

extension RawClient.Conversation {
    fileprivate mutating func upgrade(_ query: String) async throws {
        try await send(
            """
            GET /socket.io/?\(query) HTTP/1.1\r
            Host: x\r
            Upgrade: websocket\r
            Connection: Upgrade\r
            Sec-WebSocket-Version: 13\r
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
            \r

            """
        )
        let head = try await receive(through: "\r\n\r\n")
        #expect(head.hasPrefix("HTTP/1.1 101"))
    }

    fileprivate mutating func openSocket(_ query: String) async throws -> String {
        try await upgrade(query)
        return try await hear()
    }

    fileprivate func say(_ text: String) async throws {
        try await send(clientFrame(1, Array(text.utf8)))
    }

    /// Takes a text frame.
    fileprivate mutating func hear() async throws -> String {
        let head = try await receive(count: 2)
        #expect(head[0] == 0x81)
        var length = Int(head[1])
        if length == 126 {
            length = try await receive(count: 2).reduce(0) { $0 << 8 | Int($1) }
        }
        return String(decoding: try await receive(count: length), as: UTF8.self)
    }

    fileprivate mutating func get(_ query: String) async throws -> String {
        try await send("GET /socket.io/?\(query) HTTP/1.1\r\nHost: x\r\n\r\n")
        return try await body()
    }

    fileprivate mutating func post(_ query: String, _ text: String) async throws -> String {
        try await send(
            "POST /socket.io/?\(query) HTTP/1.1\r\nHost: x\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"
        )
        return try await body()
    }

    /// Polls until something has been said that contains `text`, and answers all that was said.
    fileprivate mutating func poll(_ query: String, until text: String) async throws -> String {
        var said = ""
        while !said.contains(text) { said += try await get(query) }
        return said
    }

    private mutating func body() async throws -> String {
        let head = try await receive(through: "\r\n\r\n").lowercased()
        let value = head.split(separator: "content-length: ").last?.prefix { $0.isNumber } ?? ""
        return String(decoding: try await receive(count: Int(value) ?? 0), as: UTF8.self)
    }
}
