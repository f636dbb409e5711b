import Testing

@testable import YonderHub

@Suite struct RefreshTableTests {
    @Test func `one read is under way, and changes during it cause one more`() {
        var table = RefreshTable<Int>()
        let begins = (0..<3).map { _ in table.begin(1) }
        #expect(begins == [true, false, false] && table.isRunning(1))
        let ends = (0..<2).map { _ in table.end(1) }
        #expect(ends == [true, false] && !table.isRunning(1))
        let again = table.begin(1)
        #expect(again)
    }

    @Test func `reads of others are independent`() {
        var table = RefreshTable<Int>()
        let begins = [table.begin(1), table.begin(2)]
        #expect(begins == [true, true])
        let end = table.end(1)
        #expect(!end && table.isRunning(2))
    }
}
