#if Postgres
import Synchronization
import YonderModel

@testable import YonderLibPQ
@testable import YonderPostgreSQL

/// A fresh database of one test, on a server that all tests of this process share.
struct TestDatabase {
    let server: DatabaseServer
    let name: String

    /// Why these tests are skipped, if they are.
    static var isInstalled: Bool { DatabaseServer.programs != nil }

    /// Passes a database with the newest tables to `body`, and removes it afterwards.
    static func with(_ body: (TestDatabase) async throws -> Void) async throws {
        let server = try await TemplateServer.shared.prepared()
        let number = TemplateServer.count.add(1, ordering: .relaxed).newValue
        let database = TestDatabase(server: server, name: "test_\(number)")
        try server.run("CREATE DATABASE \(database.name) TEMPLATE \(TemplateServer.template)")
        do {
            try await body(database)
        } catch {
            try server.run("DROP DATABASE \(database.name) WITH (FORCE)")
            throw error
        }
        try server.run("DROP DATABASE \(database.name) WITH (FORCE)")
    }

    /// Passes a store on a fresh database to `body`, and closes it afterwards.
    static func withStore(_ body: (PostgreSQLStore) async throws -> Void) async throws {
        try await with { database in try await database.withStore(body) }
    }

    /// Passes two stores on one fresh database to `body`, as two nodes have them.
    static func withTwoStores(_ body: (PostgreSQLStore, PostgreSQLStore) async throws -> Void) async throws {
        try await with { database in
            try await database.withStore { one in try await database.withStore { try await body(one, $0) } }
        }
    }

    /// Passes a store to `body`, and closes it afterwards.
    func withStore(_ body: (PostgreSQLStore) async throws -> Void) async throws {
        let store = try await open()
        do {
            try await body(store)
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    /// Opens a store with few connections, as many tests run at once.
    func open() async throws -> PostgreSQLStore {
        var settings = PostgreSQLStore.Settings()
        settings.readers = 2
        return try await .open(PostgreSQLAddress(server.address(of: name)), settings: settings)
    }

    /// Runs SQL beside every store, and answers the first column as text.
    @discardableResult
    func run(_ sql: String) throws -> [String] {
        try server.run(sql, in: name)
    }
}

/// The server of this process, with a database from which the tests' ones are copied.
private actor TemplateServer {
    static let shared = TemplateServer()
    static let template = "yonder_template"
    static let count = Atomic(0)

    private var preparation: Task<DatabaseServer, any Error>?

    /// Starts the server and makes the template, once.
    func prepared() async throws -> DatabaseServer {
        let preparation =
            preparation
            ?? Task {
                let server = try DatabaseServer()
                try server.run("CREATE DATABASE \(Self.template)")
                try await TestDatabase(server: server, name: Self.template).open().close()
                return server
            }
        self.preparation = preparation
        return try await preparation.value
    }
}
#endif
