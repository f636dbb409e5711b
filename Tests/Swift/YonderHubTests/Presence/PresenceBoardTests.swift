import Testing
import YonderBus
import YonderModel

@testable import YonderHub

@Suite struct PresenceBoardTests {
    private func users(_ numbers: ClosedRange<Int64>) -> [UserID] { numbers.compactMap { UserID($0) } }

    @Test func `pages of a node's users replace the former ones only when all have come`() {
        let board = PresenceBoard()
        let before = board.receive(PresencePage(users: users(1...30)), of: 7)
        #expect(before.came.count == 30 && before.gone.isEmpty)
        // The same users again, after a lost frame: nobody flashes offline.
        for number in 0..<3 {
            let first = Int64(number * 10 + 1)
            let page = PresencePage(users: users(first...first + 9), number: number, count: 3)
            let change = board.receive(page, of: 7)
            #expect(change.came.isEmpty && change.gone.isEmpty)
        }
        #expect(board.online(among: users(1...31)).count == 30)
    }

    @Test func `a page that follows a lost one is dropped`() {
        let board = PresenceBoard()
        _ = board.receive(PresencePage(users: users(1...3)), of: 7)
        _ = board.receive(PresencePage(users: users(1...1), number: 0, count: 3), of: 7)
        let change = board.receive(PresencePage(users: users(3...3), number: 2, count: 3), of: 7)
        #expect(change.came.isEmpty && change.gone.isEmpty)
        #expect(board.online(among: users(1...3)).count == 3)
        let again = board.receive(PresencePage(users: users(2...2)), of: 7)
        #expect(again.gone == users(1...1) + users(3...3))
    }

    @Test func `all users are published in pages, one empty page for none`() {
        let board = PresenceBoard()
        var pages: [PresencePage] = []
        board.publishAll(by: 2) { pages.append($0) }
        #expect(pages == [PresencePage(users: [])])
        for user in users(1...5) { _ = board.enter(user) {} }
        pages = []
        board.publishAll(by: 2) { pages.append($0) }
        #expect(pages.map(\.number) == [0, 1, 2] && pages.allSatisfy { $0.count == 3 })
        #expect(pages.flatMap(\.users) == users(1...5))
    }
}
