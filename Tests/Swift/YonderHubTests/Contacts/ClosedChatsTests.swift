import Testing
import YonderModel
import YonderRules

@testable import YonderHub

@Suite struct ClosedChatsTests {
    private let chat = ChatID.random()
    private let ada = UserID.random()
    private let ben = UserID.random()

    private func change(_ blocker: UserID, _ isBlocked: Bool, _ number: Int64) -> BlockChange {
        BlockChange(chat: chat, blocker: blocker, isBlocked: isBlocked, number: number)
    }

    @Test func `an older change of a participant never replaces a newer one, and the other's is their own`() {
        let closed = ClosedChats([:])
        closed.apply(change(ada, false, 6))
        closed.apply(change(ada, true, 5))
        #expect(!closed.contains(chat))
        closed.apply(change(ben, true, 4))
        #expect(closed.contains(chat))
        closed.apply(change(ada, true, 7))
        closed.apply(change(ben, false, 8))
        #expect(closed.contains(chat) && closed.all == [chat])
        closed.apply(change(ada, false, 9))
        #expect(!closed.contains(chat))
    }

    @Test(arguments: [false, true])
    func `a change that comes while the store is read holds, whatever was read`(isBlocked: Bool) {
        let closed = ClosedChats(isBlocked ? [:] : [chat: [ada]])
        let past = closed.snapshot
        // Both were made during the read, which saw only the first of them.
        closed.apply(change(ada, !isBlocked, 1))
        closed.apply(change(ada, isBlocked, 2))
        closed.update(isBlocked ? [:] : [chat: [ada]], since: past)
        #expect(closed.contains(chat) == isBlocked)
    }

    @Test func `what was read holds where nothing came meanwhile`() {
        let other = ChatID.random()
        let closed = ClosedChats([chat: [ada]])
        closed.update([other: [ben]], since: closed.snapshot)
        #expect(!closed.contains(chat) && closed.contains(other))
    }
}
