import Synchronization
import TestSupport
import Testing
import YonderLink
import YonderModel

@testable import YonderSocketIOClient

@Suite(.timeLimit(.minutes(20))) struct SocketIOClientTests {
    /// How the events of one sender ended.
    private struct Tally {
        var acknowledged: Set<Int> = []
        var unknown: Set<Int> = []
        var unsent: Set<Int> = []
        var count: Int { acknowledged.count + unknown.count + unsent.count }
    }

    @Test func `over 200 connects and cuts each event ends once, and the server gets none twice`()
        async throws
    {
        let random = Mutex(SeededGenerator(seed: 47))
        let server = FakeSocketServer { _ in
            switch random.withLock({ Int.random(in: 0..<4, using: &$0) }) {
            case 0: .cut([])
            case 1: .cut(["43ID[1]"])
            default: .send(["43ID[1]"])
            }
        }
        let client = try server.client()
        let tallies = try await server.running(client) {
            await withTaskGroup(of: Tally.self) { group in
                for sender in 0..<3 { group.addTask { await Self.send(sender, client, server) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        #expect(server.connections >= 200)
        let received = server.texts.filter { $0.hasPrefix("42") }.compactMap { text in
            text.split(separator: ",").last.flatMap { Int($0.dropLast()) }
        }
        #expect(Set(received).count == received.count, "No event came twice.")
        for tally in tallies {
            #expect(tally.acknowledged.isSubset(of: received))
            #expect(tally.unsent.isDisjoint(with: received))
            #expect(tally.acknowledged.isDisjoint(with: tally.unknown))
        }
        #expect(tallies.allSatisfy { !$0.acknowledged.isEmpty && !$0.unknown.isEmpty })
    }

    /// Sends events until 200 connections were made.
    private static func send(_ sender: Int, _ client: SocketIOClient, _ server: FakeSocketServer) async
        -> Tally
    {
        var tally = Tally()
        while server.connections < 200 {
            let number = sender * 1_000_000_000 + tally.count
            do throws(SharingError) {
                _ = try await client.emit("n", number, timeout: .seconds(60))
                tally.acknowledged.insert(number)
            } catch  where error.code == .notAcknowledged {
                tally.unknown.insert(number)
            } catch {
                tally.unsent.insert(number)
                await client.waitUntilConnected()
            }
        }
        return tally
    }

    @Test func `of more events than a reader's queue takes, the newest are kept and the others counted`()
        async throws
    {
        let ticks = (0..<10).map { "42[\"tick\",\($0)]" }
        let server = FakeSocketServer { _ in .send(ticks + ["43ID[]"]) }
        let client = try server.client { $0.readerCapacity = 3 }
        try await server.running(client) {
            let (slow, others) = (client.on("tick"), client.on("other"))
            await client.waitUntilConnected()
            _ = try await client.emit("go", timeout: .seconds(60))
            var events = slow.makeAsyncIterator()
            var read: [(Double?, Int)] = []
            while read.count < 3, let event = await events.next() {
                read.append((event.arguments.first?.number, event.missed))
            }
            #expect(read.map(\.0) == [7, 8, 9])
            #expect(read.map(\.1) == [7, 0, 0])
            await client.disconnect()
            var none = others.makeAsyncIterator()
            #expect(await none.next() == nil, "A reader ends with the run.")
            #expect(await events.next() == nil)
        }
    }

    @Test
    func `invariants 1 and 2 of EventQueue: the newest 8 MiB of events are kept, and the others are counted`()
        async
    {
        let board = EventBoard(capacity: 1_024)
        let slow = board.events(["big"])
        let value = Array(repeating: UInt8(ascii: "1"), count: 1 << 20)
        for _ in 0..<20 { board.put(Array("big".utf8), [value[...]], nil) }
        board.end()
        var missed: [Int] = []
        for await event in slow { missed.append(event.missed) }
        #expect(missed == [13, 0, 0, 0, 0, 0, 0], "Seven of a mebibyte and their overhead are in 8 MiB.")
    }

    @Test
    func
        `a reader of several names reads their events in order, between a connection's "connect" and "disconnect"`()
        async throws
    {
        let asked = Recorder<String>()
        let server = FakeSocketServer { event in
            asked.record(event)
            let events = ["a", "b", "c", "a"].map { "42[\"\($0)\"]" }
            return asked.values.count == 1 ? .cut(events) : .send(events)
        }
        let client = try server.client()
        try await server.running(client) {
            var (names, events) = (
                [String](), client.on("connect", "b", "a", "disconnect").makeAsyncIterator()
            )
            while names.count < 9, let event = await events.next() {
                names.append(event.name)
                if event.name == "connect" { try await client.emit("go") }
            }
            #expect(names == ["connect", "a", "b", "a", "disconnect", "connect", "a", "b", "a"])
            await client.disconnect()
            #expect(await events.next()?.name == "disconnect")
            #expect(await events.next() == nil)
            var none = client.on().makeAsyncIterator()
            #expect(await none.next() == nil, "A reader without a name has ended.")
        }
    }

    @Test func `a canceled caller ends, and the connection stays`() async throws {
        let asked = Recorder<String>()
        let server = FakeSocketServer { event in
            asked.record(event)
            return event.contains("silence") ? .send([]) : .send([#"43ID["here"]"#])
        }
        let client = try server.client()
        try await server.running(client) {
            await client.waitUntilConnected()
            try await withThrowingTaskGroup(of: SharingError?.self) { group in
                group.addTask {
                    do throws(SharingError) {
                        _ = try await client.emit("silence", timeout: .seconds(600))
                        return nil
                    } catch {
                        return error
                    }
                }
                await asked.wait(for: 1)
                group.cancelAll()
                let ended = try await group.next()
                #expect(ended??.code == .notAcknowledged)
            }
            let values = try await client.emit("echo", timeout: .seconds(60))
            #expect(values.first?.string == "here")
            #expect(server.connections == 1)
        }
    }

    @Test func `an acknowledgement that doesn't come in time is unknown`() async throws {
        let server = FakeSocketServer { _ in .send([]) }
        let client = try server.client()
        try await server.running(client) {
            await client.waitUntilConnected()
            let error = await #expect(throws: SharingError.self) {
                try await client.emit("silence", timeout: .milliseconds(1))
            }
            #expect(error?.code == .notAcknowledged)
        }
    }

    @Test func `a client that leaves says so, and its run returns`() async throws {
        let server = FakeSocketServer { _ in .send([]) }
        let client = try server.client()
        #expect(client.state == .stopped)
        try await server.running(client) {
            await client.waitUntilConnected()
            await client.disconnect()
            await client.wait { $0 == .stopped }
        }
        #expect(server.texts == ["41", "1"])
        #expect(server.connections == 1)
        let late = await #expect(throws: SharingError.self) { try await client.emit("late") }
        #expect(late?.code == .unavailable)
    }

    @Test func `a client that waits for its next attempt leaves at once`() async throws {
        let address = try ServerAddress("http://fake.example")
        let links = Links(address: address, requests: NoRequests()) { (_, _) async throws(OpenFailure) in
            throw .notUpgraded
        }
        let clock = ManualClock()
        let client = try SocketIOClient(links: links, clock: clock)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            await client.wait { if case .waiting = $0 { true } else { false } }
            await client.disconnect()
            try await group.next()
        }
        #expect(client.state == .stopped)
    }

    @Test func `a failed attempt is made again after its wait`() async throws {
        let attempts = Recorder<Int>()
        let address = try ServerAddress("http://fake.example")
        let links = Links(address: address, requests: NoRequests()) { (_, _) async throws(OpenFailure) in
            attempts.record(1)
            throw .notUpgraded
        }
        let clock = ManualClock()
        var settings = SocketIOSettings()
        settings.transports = .webSocket
        let client = try SocketIOClient(links: links, settings: settings, clock: clock)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await client.run() }
            await attempts.wait(for: 1)
            await client.wait { if case .waiting = $0 { true } else { false } }
            await clock.waitForSleepers()
            #expect(attempts.values.count == 1)
            clock.advance(by: .seconds(60))
            await attempts.wait(for: 2)
            group.cancelAll()
        }
    }

    @Test func `values that JSON doesn't have, and reserved names, are refused`() async throws {
        let client = try SocketIOClient(url: "http://127.0.0.1:1")
        for name in ["connect", "disconnect"] {
            let error = await #expect(throws: SharingError.self) { try await client.emit(name) }
            #expect(error?.code == .invalidField)
        }
        let error = await #expect(throws: SharingError.self) { try await client.emit("a", Double.infinity) }
        #expect(error?.code == .invalidField)
    }

    @Test(
        arguments: [
            { $0.path = "socket.io/" }, { $0.path = "/socket.io" }, { $0.path = "/a?b/" },
            { $0.namespace = "admin" }, { $0.namespace = "/a,b" }, { $0.namespace = "/ä" },
            { $0.namespace = "/" + String(repeating: "a", count: 64) },
            { $0.headers = ["A": "b\r\nC: d"] }, { $0.headers = ["": "b"] }, { $0.readerCapacity = 0 },
        ] as [@Sendable (inout SocketIOSettings) -> Void]
    )
    func `a setting that can't be one is refused`(_ change: @Sendable (inout SocketIOSettings) -> Void) {
        var settings = SocketIOSettings()
        change(&settings)
        let error = #expect(throws: SharingError.self) {
            try SocketIOClient(url: "http://127.0.0.1", settings: settings)
        }
        #expect(error?.code == .invalidField)
    }

    @Test func `an argument is read as what the caller expects`() throws {
        struct Place: Decodable, Equatable {
            let name: String
        }
        let place = SocketIOArgument(json: #"{"name":"Oslo"}"#.utf8)
        #expect(try place.decode(Place.self) == Place(name: "Oslo"))
        #expect(place.string == nil && place.number == nil)
        #expect(SocketIOArgument(json: #""\u00e9""#.utf8).string == "é")
        #expect(SocketIOArgument(json: "1.5e1".utf8).number == 15)
        let error = #expect(throws: SharingError.self) { try place.decode(Int.self) }
        #expect(error?.code == .invalidField)
    }
}
