import Testing
import YonderModel
import YonderRules

@testable import YonderHub

@Suite struct SignInBoardTests {
    private let start = ContinuousClock.now

    @Test func `a connection that an older version of its account admitted becomes no session`() {
        let (board, ada, ben) = (SignInBoard(), UserID.random(), UserID.random())
        board.note(SignInChange(ada, versions: 3...5, ended: .all), at: start)
        #expect(!board.admits(ada, version: 4, by: nil))
        #expect(board.admits(ada, version: 5, by: nil))
        #expect(board.admits(ben, version: 0, by: nil))
        board.note(SignInChange(ada, versions: 2...4, ended: .all), at: start)
        #expect(!board.admits(ada, version: 4, by: nil), "an older change doesn't replace a newer one")
    }

    @Test func `of a removed account no session is opened`() {
        let (board, ada) = (SignInBoard(), UserID.random())
        board.note(SignInChange(ada, versions: 3 ... .max, ended: .all), at: start)
        #expect(!board.admits(ada, version: 7, by: nil))
    }

    @Test func `a credential that was found gone is known, and what is old is forgotten`() throws {
        let (board, ada) = (SignInBoard(), UserID.random())
        let first = try #require(SecretHash(Array(repeating: 1, count: 32)))
        let second = try #require(SecretHash(Array(repeating: 2, count: 32)))
        board.note([first], at: start)
        #expect(!board.admits(ada, version: 0, by: first) && board.admits(ada, version: 0, by: second))
        board.note([second], at: start + .seconds(61))
        #expect(board.admits(ada, version: 0, by: first) && !board.admits(ada, version: 0, by: second))
    }
}
