import Testing
import YonderGeodesy
import YonderModel
import YonderWire

@testable import YonderClient

@Suite struct ShareListTests {
    private static func share(
        _ number: Int64,
        of user: UserID = Sample.bea,
        _ state: Freshness.State = .live,
        at seconds: Int64 = 0,
        _ keeping: Share.Keeping = .kept
    ) -> ShownShare {
        ShownShare(
            Share(
                id: Sample.identifier(number),
                chat: Sample.chat,
                user: user,
                started: Sample.time + .seconds(number),
                keeping: keeping
            ),
            Freshness(state: state, asOf: Sample.time + .seconds(seconds))
        )
    }

    private static func page(_ shares: ShownShare..., isCurrent: Bool = true) -> ServerFrame {
        .shares(.freshness, id: 1, topic: 1, isCurrent: isCurrent, shares)
    }

    private static func change(_ shares: ShownShare...) -> ServerFrame {
        .sharesChanged(.freshness, topic: 1, shares.map(ShareChange.init))
    }

    private static func numbers(_ list: ShareList) -> [Int64] { list.snapshot.map(\.id.rawValue) }

    @Test func `a list is there with its last page, in the order in which the shares were started`() {
        var list = ShareList(.freshness(Sample.chat))
        #expect(list.apply(Self.page(Self.share(2), isCurrent: false)) == .nothing)
        #expect(list.apply(Self.page(Self.share(1, of: Sample.ada))) == .list)
        #expect(Self.numbers(list) == [1, 2])
        let slow = Self.share(2, .slow)
        #expect(list.apply(Self.change(slow)) == .changes([slow]))
        #expect(list.snapshot.last?.freshness.state == .slow)
    }

    @Test func `a change without the share keeps what the list has, and one of an unknown share is left out`()
    {
        var list = ShareList(.freshness(Sample.chat))
        _ = list.apply(Self.page(Self.share(1)))
        let slow = Self.share(1, .slow)
        let unknown = ShareChange(Sample.identifier(9), slow.freshness)
        let changes = [ShareChange(slow.id, slow.freshness), unknown]
        #expect(list.apply(.sharesChanged(.freshness, topic: 1, changes)) == .changes([slow]))
        #expect(list.snapshot == [slow])
    }

    @Test func `after a reconnect the new answer takes the place of the old list`() {
        var list = ShareList(.freshness(Sample.chat))
        _ = list.apply(Self.page(Self.share(1), Self.share(2, of: Sample.ada)))
        list.reopen()
        #expect(!list.isCurrent && Self.numbers(list) == [1, 2])
        _ = list.apply(Self.page(Self.share(3)))
        #expect(list.isCurrent && Self.numbers(list) == [3])
    }

    @Test func `a kept share stays with its end until the person shares again, and an expiring one goes`() {
        var list = ShareList(.freshness(Sample.chat))
        _ = list.apply(Self.page(Self.share(1), Self.share(2, of: Sample.ada)))
        _ = list.apply(Self.change(Self.share(1, .ended, at: 60)))
        #expect(Self.numbers(list) == [1, 2])
        _ = list.apply(Self.change(Self.share(2, of: Sample.ada, .ended, at: 60, .expiring)))
        #expect(Self.numbers(list) == [1])
        _ = list.apply(Self.change(Self.share(3)))
        #expect(Self.numbers(list) == [3])
    }

    @Test func `of several ended shares of a person the newest stays`() {
        var list = ShareList(.freshness(Sample.chat))
        _ = list.apply(Self.page(Self.share(1), Self.share(2)))
        _ = list.apply(Self.change(Self.share(2, .ended, at: 60)))
        #expect(Self.numbers(list) == [1], "the other one runs")
        _ = list.apply(Self.change(Self.share(1, .ended, at: 90)))
        #expect(Self.numbers(list) == [1])
        _ = list.apply(Self.change(Self.share(2, .ended, at: 60)))
        #expect(Self.numbers(list) == [1])
        _ = list.apply(Self.change(Self.share(3, .ended, at: 90), Self.share(2, .ended, at: 90)))
        #expect(Self.numbers(list) == [3], "of equal ends the one with the greater id")
    }

    @Test func `one's own list has running shares alone`() {
        var list = ShareList(.shares)
        _ = list.apply(Self.page(Self.share(1), Self.share(2)))
        _ = list.apply(Self.change(Self.share(1, .ended, at: 60)))
        #expect(Self.numbers(list) == [2])
        _ = list.apply(Self.change(Self.share(2, .ended, at: 70)))
        #expect(list.snapshot.isEmpty)
    }
}
