#if Postgres
import CLibPQ
import Synchronization
import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

@testable import YonderLibPQ
@testable import YonderPostgreSQL

/// Two stores on one database, as two nodes have them, and connections that are lost.
@Suite(.serialized, .enabled(if: TestDatabase.isInstalled, "PostgreSQL isn't installed"))
struct PostgreSQLNodeTests {
    @Test
    func
        `of two nodes that write one chat while people come and go, each message has the next number and a present sender`()
        async throws
    {
        try await TestDatabase.withTwoStores { one, other in
            let home = try await Home(one)
            let log = Log()
            await withTaskGroup { group in
                for (name, store) in [("one", one), ("other", other)] {
                    for worker in 0..<4 {
                        group.addTask {
                            for step in 0..<60 {
                                let key = "\(name) \(worker) \(step)"
                                let sender = worker % 2 == 0 ? home.ada : home.bob
                                let draft = MessageDraft(tag: .text, content: key)
                                await log.submit(home.act(.message(draft), sender, key: key), to: store, name)
                            }
                        }
                    }
                    group.addTask {
                        for step in 0..<40 {
                            let key = "\(name) moves \(step)"
                            let action = step % 2 == 0 ? Submission.Action.leave : .add([home.bob])
                            let sender = step % 2 == 0 ? home.bob : home.ada
                            await log.submit(home.act(action, sender, key: key), to: store, name)
                        }
                    }
                }
            }
            try await expectWhole(log, home, one)
            #expect(log.refusals.isSubset(of: [.notParticipant, .alreadyParticipant]))
        }
    }

    @Test func `positions of one sender from two nodes are late by what both wrote`() async throws {
        try await TestDatabase.withTwoStores { one, other in
            let home = try await Home(one)
            for step in 1...30 {
                let store = step % 2 == 0 ? one : other
                let moment = home.now + .milliseconds(Int64(step % 5 * 1_000 + step))
                let coordinate = try #require(Coordinate(latitude: Double(step), longitude: 1))
                let data = MessageData(position: Position(coordinate: coordinate, timestamp: moment))
                let draft = MessageDraft(tag: .location, data: data)
                let position = home.act(.message(draft), home.ada, key: "\(step)")
                let known = try await one.lastLocations(in: home.chat, of: nil, now: home.now).messages.first
                let message = try await store.submit(position).message
                #expect(message.isLate == (known.map { $0.moment > message.moment } ?? false), "step \(step)")
            }
        }
    }

    @Test
    func `connections that are cut in the midst lose nothing that was acknowledged and write nothing twice`()
        async throws
    {
        try await TestDatabase.with { database in
            try await database.withStore { store in
                let home = try await Home(store)
                let log = Log()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        // Each cut waits for writes behind the one before, so that every one hits work.
                        var seen = 0
                        while seen < 280 {
                            guard log.count > seen + 20 else {
                                await Task.yield()
                                continue
                            }
                            seen = log.count
                            try await database.run(
                                """
                                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                                WHERE datname = current_database() AND pid <> pg_backend_pid()
                                """
                            )
                        }
                    }
                    await withTaskGroup { writers in
                        for worker in 0..<8 {
                            writers.addTask {
                                for step in 0..<40 {
                                    let key = "\(worker) \(step)"
                                    let action =
                                        step % 10 == 9
                                        ? Submission.Action.subject(key)
                                        : .message(MessageDraft(tag: .text, content: key))
                                    await log.submit(home.act(action, home.ada, key: key), to: store, "one")
                                }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                try await expectWhole(log, home, store)
                #expect(log.count == 320)
            }
        }
    }

    @Test func `a store whose database is gone refuses what it can't write, and closes`() async throws {
        try await TestDatabase.with { database in
            let store = try await database.open()
            let home = try await Home(store)
            let refused = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        if number == 25 {
                            _ = try? await database.server.run("DROP DATABASE \(database.name) WITH (FORCE)")
                        }
                        let message = home.submission("a", key: "\(number)")
                        let result = await store.submit([message])[0]
                        if case .failure(let error) = result { #expect(error.code == .unavailable) }
                        return (try? result.get()) == nil
                    }
                    // What may have been written is given up only when the store is closed.
                    if number == 40 {
                        group.addTask {
                            await store.close(); return false
                        }
                    }
                }
                var refused = 0
                for await isRefused in group where isRefused { refused += 1 }
                return refused
            }
            #expect(refused > 0)
            await store.close()
            try await database.server.run("CREATE DATABASE \(database.name)")
        }
    }

    @Test func `messages to a chat whose row is locked are refused, and those to others are written`()
        async throws
    {
        try await TestDatabase.with { database in
            try await database.withStore { store in
                let (home, other) = (try await Home(store), try await Home(store))
                let holder = PQconnectdb(database.server.address(of: database.name))
                defer { PQfinish(holder) }
                PQclear(PQexec(holder, "BEGIN"))
                PQclear(PQexec(holder, "SELECT id FROM chat WHERE id = \(home.chat.rawValue) FOR UPDATE"))
                // Together in one commit, a plain message and a change; the lock is waited for once.
                let results = await store.submit([
                    home.submission("a", key: "1"), other.submission("a", key: "1"),
                    home.act(.subject("New"), home.ada, key: "2"),
                ])
                #expect(results[0] == .failure(.storeFailed) && results[2] == .failure(.storeFailed))
                #expect(try results[1].get().message.number == 1)
                let again = await store.submit([
                    other.submission("b", key: "2"), home.submission("a", key: "1"),
                ])
                #expect(try again[0].get().message.number == 2)
                #expect(again[1] == .failure(.storeFailed))
                PQclear(PQexec(holder, "ROLLBACK"))
                #expect(try await store.submit([home.submission("a", key: "1")])[0].get().message.number == 1)
            }
        }
    }

    @Test func `a statement that fails leaves those beside it and behind it alone`() async throws {
        try await TestDatabase.withStore { store in
            let wrong = Statement(name: "wrong", sql: "SELECT 1 / $1::bigint")
            await withTaskGroup { group in
                for number in 0..<200 {
                    group.addTask {
                        let divisor = Int64(number % 3)
                        let rows = try? await store.read(wrong, [.int(divisor)])
                        #expect(rows?.first?.int(0) == (divisor == 0 ? nil : 1 / divisor))
                    }
                }
            }
        }
    }

    /// Expects what was acknowledged to be stored, under its number and once, and every sender to be in the chat.
    private func expectWhole(_ log: Log, _ home: Home, _ store: PostgreSQLStore) async throws {
        let rows = try await store.read(
            Statement(
                name: "",
                sql: "SELECT number, sender, key, tag FROM message WHERE chat = $1 ORDER BY number"
            ),
            [.int(home.chat.rawValue)]
        )
        #expect(rows.map { $0.int(0) } == Array(1...Int64(rows.count)))
        let keys = rows.map { $0.text(2) }
        #expect(Set(keys).count == keys.count)
        let stored = Dictionary(uniqueKeysWithValues: zip(keys, rows.map { $0.int(0) }))
        for (key, number) in log.acknowledged { #expect(stored[key] == number, "\(key)") }
        #expect(stored.count == log.count)
        let chat = try await store.chat(home.chat)
        #expect(chat.last == Int64(rows.count))
        for row in rows {
            let participant = chat.participants.first { $0.user.rawValue == row.int(1) }
            #expect(participant?.spans.contains { $0.contains(row.int(0)) } == true, "\(row.text(2))")
        }
        for numbers in log.order.values { #expect(numbers == numbers.sorted()) }
    }
}

/// What stores acknowledged.
private final class Log: Sendable {
    private struct State {
        var acknowledged: [String: Int64] = [:]
        var order: [String: [Int64]] = [:]
        var refusals: Set<SharingError.Code> = []
    }

    private let state = Mutex(State())

    var acknowledged: [String: Int64] { state.withLock(\.acknowledged) }

    /// The numbers of each node, as its completions came.
    var order: [String: [Int64]] { state.withLock(\.order) }

    var refusals: Set<SharingError.Code> { state.withLock(\.refusals) }
    var count: Int { state.withLock(\.acknowledged.count) }

    /// Submits until it is accepted or refused for good.
    ///
    /// The first attempt is never answered as a repeat, also if the store sent it again by itself.
    func submit(_ submission: Submission, to store: PostgreSQLStore, _ name: String) async {
        var isFirst = true
        while true {
            let result = await withCheckedContinuation { continuation in
                store.submit([submission]) { results in
                    if case .success(let acceptance) = results[0] {
                        self.state.withLock { state in
                            state.acknowledged[submission.key] = acceptance.message.number
                            state.order[name, default: []].append(acceptance.message.logNumber)
                        }
                    }
                    continuation.resume(returning: results[0])
                }
            }
            guard case .failure(let error) = result else {
                let isRepeat = (try? result.get().isRepeat) ?? false
                #expect(!isRepeat || !isFirst, "\(submission.key)")
                return
            }
            isFirst = false
            guard error.code == .unavailable else {
                state.withLock { _ = $0.refusals.insert(error.code) }
                return
            }
        }
    }
}
#endif
