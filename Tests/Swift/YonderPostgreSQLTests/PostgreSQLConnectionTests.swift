#if Postgres
import TestSupport
import Testing
import YonderModel
import YonderRules

@testable import YonderLibPQ
@testable import YonderPostgreSQL

/// Connections that are lost between a commit and its answer, and connections that lead to another database than before.
@Suite(.serialized, .enabled(if: TestDatabase.isInstalled, "PostgreSQL isn't installed"))
struct PostgreSQLConnectionTests {
    @Test func `a message whose commit was made and not heard of is stored once, and answered as new`()
        async throws
    {
        try await withProxy { database, proxy, store in
            let home = try await Home(store)
            proxy.cut(at: "append_v2")
            let result = await store.submit([home.submission("a", key: "1"), home.submission("b", key: "2")])
            let accepted = try result.map { try $0.get() }
            #expect(accepted.map(\.message.number) == [1, 2])
            #expect(accepted.allSatisfy { !$0.isRepeat })
            #expect(proxy.cuts == 1)
            #expect(try await database.run("SELECT count(*) FROM message") == ["2"])
        }
    }

    @Test func `what a commit made that wasn't heard of is told once`() async throws {
        try await withProxy { database, proxy, store in
            let home = try await Home(store)
            let told = Told(by: store)
            proxy.cut(at: "append_v2")
            _ = await store.submit([home.submission("a", key: "1"), home.submission("b", key: "2")])
            #expect(told.take().flatMap(\.messages).map(\.message.number) == [1, 2])
            proxy.cut(at: "commit")
            let wish = ChatStart(creator: home.ada, invitees: [home.bob])
            let chat = try await store.start(wish, at: home.now).chat
            #expect(proxy.cuts == 2)
            #expect(told.take().flatMap(\.started).map(\.id) == [chat.id])
            #expect(try await database.run("SELECT count(*) FROM chat") == ["2"])
        }
    }

    @Test func `a change whose COMMIT was made and not heard of is made once, and answered`() async throws {
        try await withProxy { database, proxy, store in
            let home = try await Home(store)
            proxy.cut(at: "commit")
            let result = await store.submit([home.act(.subject("New"), home.ada, key: "1")])
            #expect(try result[0].get().message.number == 1)
            #expect(proxy.cuts == 1)
            #expect(try await database.run("SELECT count(*) FROM message") == ["1"])
            #expect(try await database.run("SELECT subject FROM chat") == ["New"])
        }
    }

    @Test func `another database at the same address is refused, and the first one is used again`()
        async throws
    {
        let other = try DatabaseServer()
        try await withProxy { database, proxy, store in
            try await other.run("CREATE DATABASE \(database.name)")
            proxy.lead(to: other.port)
            try await database.cutConnections()
            while store.readers[0].lastFailure?.contains("system_identifier") != true { await Task.yield() }
            #expect(await !store.isHealthy())
            proxy.lead(to: database.server.port)
            while await !store.isHealthy() {}
        }
        try other.end()
    }

    @Test func `an old primary is refused, and a promoted standby isn't`() {
        let identity = DatabaseIdentity()
        #expect(identity.refusal(system: 7, timeline: 1) == nil)
        #expect(identity.refusal(system: 7, timeline: 1) == nil)
        #expect(identity.refusal(system: 7, timeline: 3) == nil)
        #expect(
            identity.refusal(system: 7, timeline: 2)?.contains("timeline is 2, that of the one before 3")
                == true
        )
        #expect(identity.refusal(system: 8, timeline: 3)?.contains("system_identifier is 8") == true)
        #expect(identity.refusal(system: 7, timeline: 3) == nil)
    }

    private func withProxy(_ body: (TestDatabase, CuttingProxy, PostgreSQLStore) async throws -> Void)
        async throws
    {
        try await TestDatabase.with { database in
            let proxy = try CuttingProxy(to: database.server.port)
            defer { proxy.end() }
            let address =
                "host=127.0.0.1 port=\(proxy.port) user=yonder dbname=\(database.name) sslmode=disable"
            let store = try await PostgreSQLStore.open(PostgreSQLAddress(address))
            try await body(database, proxy, store)
            await store.close()
        }
    }
}

extension TestDatabase {
    /// Ends every connection to the database.
    fileprivate func cutConnections() async throws {
        try await run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """
        )
    }
}
#endif
