import GRDB
import TestSupport
import Testing
import YonderSQLite

@testable import YonderStorage

struct ChatRowTests {
    private let folder = TemporaryFolder()

    @Test func `a chat is read by indexes alone, however many messages it has`() async throws {
        let store = try SQLiteStore.open(folder: folder.path)
        let steps = try await store.file.read { database in
            try String.fetchAll(
                database,
                SQLRequest(
                    sql: "EXPLAIN QUERY PLAN \(ChatRow.indexedQuery)",
                    arguments: [1],
                    adapter: SuffixRowAdapter(fromIndex: 3)
                )
            )
        }
        let searches = steps.filter { $0.hasPrefix("SEARCH") }
        #expect(searches.count == 8 && !steps.contains { $0.hasPrefix("SCAN") }, "\(steps)")
        #expect(searches.count { $0.contains("messageByTag (chat=? AND tag=?)") } == 4, "\(steps)")
        #expect(searches.count { $0.contains("messageByWriting (chat=?)") } == 2, "\(steps)")
        try store.close()
    }
}
