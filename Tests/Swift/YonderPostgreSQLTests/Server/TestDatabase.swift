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

    /// Passes a fresh database with the newest tables to `body`.
    ///
    /// It stays until the server's folder is removed: each `DROP DATABASE` would have the server write all its pages.
    static func with<Value>(_ body: (TestDatabase) async throws -> Value) async throws -> Value {
        try await body(fresh())
    }

    /// Passes a store on a database without rows to `body`, and closes it afterwards.
    ///
    /// A new database writes 16 MB to the disk, and there are some 200 such tests, so a used database is emptied for the next test.
    static func withStore(_ body: (PostgreSQLStore) async throws -> Void) async throws {
        let database =
            if let used = await TemplateServer.shared.takeEmpty() { used } else { try await fresh() }
        try await database.withStore(body)
        try await database.run(empty)
        await TemplateServer.shared.put(database)
    }

    private static func fresh() async throws -> TestDatabase {
        let server = try await TemplateServer.shared.prepared()
        let number = TemplateServer.count.add(1, ordering: .relaxed).newValue
        let database = TestDatabase(server: server, name: "test_\(number)")
        try await server.run("CREATE DATABASE \(database.name) TEMPLATE \(TemplateServer.template)")
        return database
    }

    /// Empties all tables but those of the schema's version and of the clearing's mark.
    private static let empty = """
        DO $$ BEGIN
            EXECUTE (
                SELECT 'TRUNCATE ' || string_agg(quote_ident(relname), ', ') || ' RESTART IDENTITY'
                FROM pg_class
                WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname NOT IN ('schema', 'clearing')
            );
        END $$
        """

    /// Passes two stores on one fresh database to `body`, as two nodes have them.
    static func withTwoStores(_ body: (PostgreSQLStore, PostgreSQLStore) async throws -> Void) async throws {
        try await with { try await $0.withTwoStores(body) }
    }

    /// Passes two stores to `body`, and closes them afterwards.
    func withTwoStores(_ body: (PostgreSQLStore, PostgreSQLStore) async throws -> Void) async throws {
        try await withStore { one in try await withStore { try await body(one, $0) } }
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
    func run(_ sql: String) async throws -> [String] {
        try await server.run(sql, in: name)
    }
}

/// The server of this process, with a database from which the tests' ones are copied.
private actor TemplateServer {
    static let shared = TemplateServer()
    static let template = "yonder_template"
    static let count = Atomic(0)

    private var preparation: Task<DatabaseServer, any Error>?
    private var empty: [TestDatabase] = []

    /// A database that a test has used, without rows.
    func takeEmpty() -> TestDatabase? { empty.popLast() }

    /// Keeps an emptied database for the next test.
    func put(_ database: TestDatabase) { empty.append(database) }

    /// Starts the server and makes the template, once.
    func prepared() async throws -> DatabaseServer {
        let preparation =
            preparation
            ?? Task {
                let server = try DatabaseServer()
                try await server.run("CREATE DATABASE \(Self.template)")
                try await TestDatabase(server: server, name: Self.template).open().close()
                return server
            }
        self.preparation = preparation
        return try await preparation.value
    }
}
#endif
