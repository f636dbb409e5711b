import YonderSQLite
import TestSupport
import Testing
import YonderModel

@testable import YonderStorage

struct SQLiteWordTests {
    private let folder = TemporaryFolder()

    @Test(arguments: WordRule.all)
    func `a store on disk keeps a word that it doesn't know`(rule: WordRule) async throws {
        try await rule.check(Words(folder: folder.path))
    }

    private struct Words: WordDatabase {
        let folder: String

        func withStore(_ body: (any Store) async throws -> Void) async throws {
            let store = try SQLiteStore.open(folder: folder)
            try await body(store)
            try store.close()
        }

        func run(_ sql: String) async throws -> [String] {
            // The store may write a checkpoint at the same moment.
            var settings = DatabaseSettings()
            settings.patience = 10_000
            let queue = try DatabaseQueue(path: "\(folder)/yonder.db", settings: settings)
            return try await queue.write { try String.fetchAll($0, sql: sql) }
        }
    }
}
