import Testing
import YonderGeodesy
import YonderModel
import YonderWire

@Suite struct KnownSharesTests {
    private static func shown(_ number: Int64, until: Int64? = nil, _ state: Freshness.State = .live) throws
        -> ShownShare
    {
        let share = Share(
            id: try #require(ShareID(number)),
            chat: try #require(ChatID(1)),
            user: try #require(UserID(2)),
            started: StreamSamples.time,
            until: until.map { StreamSamples.time + .seconds($0) },
            keeping: .kept
        )
        return ShownShare(share, Freshness(state: state, asOf: StreamSamples.time))
    }

    private static func whole(_ changes: [ShareChange]) -> [Bool] { changes.map { $0.share != nil } }

    @Test func `a running share is sent whole once, and again when it has changed`() throws {
        var known = KnownShares()
        #expect(Self.whole(known.changes([try Self.shown(1)])) == [true])
        #expect(Self.whole(known.changes([try Self.shown(1, .slow), try Self.shown(2)])) == [false, true])
        #expect(Self.whole(known.changes([try Self.shown(1, until: 60)])) == [true])
        #expect(Self.whole(known.changes([try Self.shown(1, until: 60)])) == [false])
    }

    @Test func `an ended share is always sent whole`() throws {
        var known = KnownShares()
        _ = known.changes([try Self.shown(1)])
        #expect(Self.whole(known.changes([try Self.shown(1, .ended)])) == [true])
        #expect(Self.whole(known.changes([try Self.shown(1, .ended)])) == [true])
    }

    @Test func `a share that a new subscriber wasn't answered with is sent whole to all`() throws {
        var known = KnownShares()
        _ = known.changes([try Self.shown(1), try Self.shown(2), try Self.shown(3)])
        known.answered([try Self.shown(1), try Self.shown(3, until: 60)])
        let changes = known.changes([try Self.shown(1), try Self.shown(2), try Self.shown(3)])
        #expect(Self.whole(changes) == [false, true, true])
    }
}
