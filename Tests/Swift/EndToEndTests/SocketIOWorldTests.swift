import TestSupport
import Testing
import YonderLink
import YonderModel
import YonderSocketIOClient

/// The world of a real server, through the package's Socket.IO client.
@Suite(.timeLimit(.minutes(20))) struct SocketIOWorldTests {
    @Test func `apps of both generations and all ways see each other's pins`() async throws {
        try await withFolder { folder in
            try await TestServer.running(folder: folder) { server in
                let watcher = try SocketIOClient(url: server.url)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    var events = WorldEvents(of: watcher)
                    group.addTask { try await watcher.run() }
                    await Self.connected(watcher)
                    for generation in [SocketIOSettings.Generation.engineIO3, .engineIO4] {
                        for transports in [
                            SocketIOSettings.Transports.polling, .webSocket, .pollingThenWebSocket,
                        ] {
                            var settings = SocketIOSettings()
                            (settings.generation, settings.transports) = (generation, transports)
                            try await Self.walk(server.url, settings, &events)
                        }
                    }
                    await watcher.disconnect()
                    try await group.waitForAll()
                }
            }
        }
    }

    /// Joins, moves a pin, tries to move it wrongly, and leaves.
    private static func walk(
        _ url: String,
        _ settings: SocketIOSettings,
        _ events: inout WorldEvents
    ) async throws {
        let walker = try SocketIOClient(url: url, settings: settings)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await walker.run() }
            await connected(walker)
            let answer = try await walker.emit("location", "59.9139,10.7522", timeout: .seconds(60))
            #expect(answer.first?.json == Array("{}".utf8))
            let moved = try #require(await events.updates.next()?.string)
            let id = String(moved.prefix { $0 != ":" })
            #expect(moved == "\(id):59.9139,10.7522")
            // On a slow machine the walker may have given up a first connection; its pin comes and goes, too.
            while let joined = await events.joins.next()?.string, joined != id {}
            let refusal = try await walker.emit("location", "north", timeout: .seconds(60))
            #expect(refusal.first?.json.contains("invalidField".utf8) ?? false)
            await walker.disconnect()
            while let gone = await events.disappearances.next()?.string, gone != id {}
            try await group.waitForAll()
        }
    }

    @Test func `over 200 connects and cuts each pin comes and goes once, and each event ends once`()
        async throws
    {
        try await withFolder { folder in
            try await TestServer.running(folder: folder) { server in
                let watcher = try SocketIOClient(url: server.url)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    var events = WorldEvents(of: watcher)
                    group.addTask { try await watcher.run() }
                    await Self.connected(watcher)
                    let outcomes = try await Self.cut(server.url, times: 200)
                    #expect(outcomes.count == 400 && outcomes.count(where: { $0 == .acknowledged }) >= 200)

                    var (joined, gone): (Set<String>, Set<String>) = ([], [])
                    for _ in 0..<200 {
                        joined.insert(try #require(await events.joins.next()?.string))
                        gone.insert(try #require(await events.disappearances.next()?.string))
                    }
                    #expect(joined.count == 200 && gone == joined)
                    await watcher.disconnect()
                    try await group.waitForAll()
                }
            }
        }
    }

    private enum Outcome {
        case acknowledged, unknown, unsent
    }

    /// Connects so many times; in each connection sends one event and awaits its acknowledgement, and cuts while a second one is under way.
    private static func cut(_ url: String, times: Int) async throws -> [Outcome] {
        let made = Recorder<any StreamLink>()
        let walker = try SocketIOClient(links: try links(url, made), settings: hasty)
        return await withTaskGroup(of: [Outcome].self) { group in
            group.addTask {
                try? await walker.run()
                return []
            }
            var outcomes: [Outcome] = []
            for round in 1...times {
                let link = await made.wait(for: round)[round - 1]
                await connected(walker)
                outcomes.append(await move(walker, "1.\(round),2"))
                async let second = move(walker, "2.\(round),2")
                if round.isMultiple(of: 2) { await Task.yield() }
                link.close()
                outcomes.append(await second)
            }
            await walker.disconnect()
            group.cancelAll()
            return outcomes
        }
    }

    /// A client that comes back at once.
    private static var hasty: SocketIOSettings {
        var settings = SocketIOSettings()
        settings.transports = .webSocket
        (settings.minimumWait, settings.maximumWait) = (.zero, .milliseconds(1))
        return settings
    }

    /// Connections that are kept for a test to cut.
    private static func links(_ url: String, _ made: Recorder<any StreamLink>) throws -> Links {
        let links = try Links(server: url, certificateAuthority: nil)
        return Links(address: links.address, requests: links.requests) {
            (target, headers) async throws(OpenFailure) in
            let link = try await links.webSocket(target, headers)
            made.record(link)
            return link
        }
    }

    private static func move(_ walker: SocketIOClient, _ position: String) async -> Outcome {
        do throws(SharingError) {
            _ = try await walker.emit("location", position, timeout: .seconds(60))
            return .acknowledged
        } catch {
            return error.code == .notAcknowledged ? .unknown : .unsent
        }
    }

    private static func connected(_ client: SocketIOClient) async {
        for await state in client.states where state == .connected { return }
    }
}

/// What a client of the world is sent.
private struct WorldEvents {
    var joins: SocketIOEvents.Iterator
    var updates: SocketIOEvents.Iterator
    var disappearances: SocketIOEvents.Iterator

    init(of client: SocketIOClient) {
        joins = client.on("join").makeAsyncIterator()
        updates = client.on("update").makeAsyncIterator()
        disappearances = client.on("disappear").makeAsyncIterator()
    }
}
