import TestSupport
import Testing
import YonderGeodesy
import YonderModel

@testable import YonderStorage

struct SQLiteImageTests {
    private let folder = TemporaryFolder()

    @Test(arguments: ImageRule.all)
    func `a store on disk keeps the rule of images`(rule: ImageRule) async throws {
        let store = try SQLiteStore.open(folder: folder.path)
        try await rule.check(store)
        try store.close()
    }
}
