import Testing
import YonderModel

@testable import YonderSocketIOClient

/// The client with servers that others made, python-socketio of both generations: by `make test-socket-io`.
@Suite(.timeLimit(.minutes(20))) struct LiveServerTests {
    @Test(arguments: PythonServer.generations)
    func `events, acknowledgements and the upgrade work with a server of each generation`(
        _ generation: SocketIOSettings.Generation
    ) async throws {
        try await PythonServer.running(generation) { server in
            for transports in SocketIOSettings.Transports.all {
                let recording = Recording()
                let client = try server.client(server.settings(transports), recording)
                let refusal = try await running(client) { try await Self.talk(client, recording, transports) }
                #expect(refusal == nil)
                guard Recording.isWanted else { continue }
                let number = generation == .engineIO3 ? 3 : 4
                let about = generation == .engineIO3 ? "python-socketio 4.6.1" : "python-socketio 5.18.1"
                try recording.save("engine\(number)-\(transports.name)", about: about)
            }
        }
    }

    /// Sends what the server answers, before, during and after the upgrade.
    private static func talk(
        _ client: SocketIOClient,
        _ recording: Recording,
        _ transports: SocketIOSettings.Transports
    ) async throws {
        let app = RecordedApp(client, recording)
        var (ticks, answers) = (
            client.on("tick").makeAsyncIterator(), client.on("answered").makeAsyncIterator()
        )
        var (questions, pictures) = (
            client.on("question").makeAsyncIterator(), client.on("picture").makeAsyncIterator()
        )
        await client.waitUntilConnected()
        var count = 0
        var isUpgraded = false
        while count < 3 || !isUpgraded {
            count += 1
            let values = try await app.emit(#""echo","Ærø",\#(count)"#, "echo", "Ærø", count)
            #expect(values.map(\.string) == ["Ærø", nil] && values.last?.number == Double(count))
            let usesSocket = await client.conversation?.usesSocket ?? false
            isUpgraded = usesSocket == (transports != .polling)
        }

        #expect(try await app.emit(#""count",3"#, "count", 3).map(\.number) == [3])
        for value in 0..<3 { #expect(await app.heard(ticks.next())?.number == Double(value)) }

        _ = try await app.emit(#""ask""#, "ask")
        let question = try #require(await questions.next())
        #expect(await app.heard(question)?.number == 42)
        #expect(question.wantsAcknowledgement)
        try await client.acknowledge(question, 43)
        #expect(await app.heard(answers.next())?.number == 43)

        _ = try await app.emit(#""picture""#, "picture")
        let placeholder = #"{"bytes":{"_placeholder":true,"num":0}}"#
        #expect(await app.heard(pictures.next())?.json == Array(placeholder.utf8))
        #expect(await app.heard(ticks.next())?.string == "after")
        await app.leave()
    }

    @Test(arguments: PythonServer.generations)
    func `what ends a connection, ends the client, or refuses it`(
        _ generation: SocketIOSettings.Generation
    ) async throws {
        try await PythonServer.running(generation) { server in
            for transports in SocketIOSettings.Transports.all {
                let recording = Recording()
                let client = try server.client(server.settings(transports), recording)
                let refusal = try await running(client) {
                    await client.waitUntilConnected()
                    let late = await #expect(throws: SharingError.self) {
                        try await client.emit("silence", timeout: .milliseconds(50))
                    }
                    #expect(late?.code == .notAcknowledged)
                    try await client.emit("close")
                    // Requests without a session begin a connection.
                    await recording.wait(for: 2) { $0.hasPrefix("> ") && $0.hasSuffix(transports.beginning) }
                    await client.waitUntilConnected()
                    #expect(
                        try await client.emit("echo", "again", timeout: .seconds(60)).first?.string == "again"
                    )
                    // The server forgets a dismissed session, so that between two polls a client doesn't receive its packet.
                    for await state in client.states {
                        if state == .stopped { break }
                        if state == .connected { try? await client.emit("dismiss") }
                    }
                }
                #expect(refusal?.code == .notAllowed)
            }
            try await Self.enter(server)
        }
    }

    /// Enters a namespace with what it asks for, and without.
    private static func enter(_ server: PythonServer) async throws {
        var settings = server.settings(.pollingThenWebSocket)
        settings.namespace = "/admin"
        let stranger = try server.client(settings)
        #expect(try await running(stranger) {}?.code == .notAllowed)

        if server.generation == .engineIO4 {
            settings.auth = ["token": "open"]
        } else {
            settings.headers = ["X-Token": "open"]
        }
        let admin = try server.client(settings)
        try await running(admin) {
            await admin.waitUntilConnected()
            let values = try await admin.emit("echo", "in", timeout: .seconds(60))
            #expect(values.first?.string == "in")
            await admin.disconnect()
        }
    }

    @Test(arguments: PythonServer.generations)
    func `heartbeats keep a connection over which nothing else goes`(
        _ generation: SocketIOSettings.Generation
    ) async throws {
        try await PythonServer.running(generation, ping: ["0.2", "60"]) { server in
            let recording = Recording()
            let client = try server.client(server.settings(.webSocket), recording)
            let beat = generation == .engineIO3 ? #"< text "3""# : #"< text "2""#
            try await running(client) {
                await client.waitUntilConnected()
                let connection = await client.connection
                // The server pings again only when it was answered, and answers what it was pinged.
                await recording.wait(for: 8) { $0 == beat }
                #expect(await client.connection == connection)
                await client.disconnect()
            }
        }
    }

    @Test(arguments: PythonServer.generations.filter { $0 == .engineIO4 })
    func `a server of the newer generation refuses a client of the older one for good`(
        _ generation: SocketIOSettings.Generation
    ) async throws {
        try await PythonServer.running(generation) { server in
            var settings = server.settings(.polling)
            settings.generation = .engineIO3
            let client = try server.client(settings)
            #expect(try await running(client) {}?.code == .unsupportedVersion)
        }
    }
}

extension SocketIOSettings.Transports {
    /// How the path of a connection's first request ends.
    fileprivate var beginning: String { self == .webSocket ? "transport=websocket" : "transport=polling" }
}

/// An app that sends and records events.
private actor RecordedApp {
    private let client: SocketIOClient
    private let recording: Recording
    private var count = 0

    init(_ client: SocketIOClient, _ recording: Recording) {
        (self.client, self.recording) = (client, recording)
    }

    /// Sends an event, and returns the acknowledgement as JSON.
    func emit(_ json: String, _ event: String, _ arguments: any Encodable & Sendable...) async throws
        -> [SocketIOArgument]
    {
        count += 1
        let id = count
        recording.add("= emit \(id) [\(json)]")
        let values: [SocketIOArgument]
        switch arguments.count {
        case 0: values = try await client.emit(event, timeout: .seconds(60))
        case 1: values = try await client.emit(event, arguments[0], timeout: .seconds(60))
        default: values = try await client.emit(event, arguments[0], arguments[1], timeout: .seconds(60))
        }
        let text = "[\(values.map { String(decoding: $0.json, as: UTF8.self) }.joined(separator: ","))]"
        recording.add("~ acknowledged \(id) \(text)")
        return values
    }

    /// Records an event, and returns its first value.
    func heard(_ event: SocketIOEvent?) -> SocketIOArgument? {
        guard let event else { return nil }
        let values = event.arguments.map { String(decoding: $0.json, as: UTF8.self) }
        let all = [Recording.quoted(Array(event.name.utf8))] + values
        recording.add("~ event [\(all.joined(separator: ","))]")
        return event.arguments.first
    }

    func leave() async {
        recording.add("= leave")
        await client.disconnect()
    }
}
