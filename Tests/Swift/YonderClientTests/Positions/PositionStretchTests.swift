import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRequests

@testable import YonderClient

@Suite struct PositionStretchTests {
    /// Messages of Ada and Bea in turn, from number 1.
    private static func walk(_ count: Int64) throws -> [Message] {
        try (1...count).map { try location($0, $0.isMultiple(of: 2) ? Sample.bea : Sample.ada) }
    }

    private static func location(_ number: Int64, _ sender: UserID) throws -> Message {
        let data = try MessageData(Array("{\"latitude\":1,\"longitude\":\(number)}".utf8))
        return message(number, sender, .location, data)
    }

    private static func message(
        _ number: Int64,
        _ sender: UserID,
        _ tag: MessageTag,
        _ data: MessageData?
    ) -> Message {
        Message(
            chat: Sample.chat,
            number: number,
            sender: sender,
            tag: tag,
            content: "",
            data: data,
            time: Timestamp(milliseconds: number * 1_000)
        )
    }

    private static func shareEnd(_ number: Int64, _ sender: UserID) throws -> Message {
        let data = #"{"share":"7","state":"stopped","keep":"expiring"}"#
        return message(number, sender, .share, try MessageData(Array(data.utf8)))
    }

    /// Answers what is asked out of `messages`, as the server does.
    private static func load(_ stretch: inout PositionStretch, from messages: [Message]) {
        while let question = stretch.next() { answer(question, to: &stretch, from: messages) }
    }

    private static func answer(
        _ question: PositionStretch.Question,
        to stretch: inout PositionStretch,
        from messages: [Message]
    ) {
        let matches = messages.filter {
            $0.logNumber < question.before && $0.sender == question.sender ?? $0.sender
        }
        let page = Array(matches.suffix(question.limit))
        let previous = matches.count > page.count ? page.first?.number : nil
        stretch.answered(question, page, first: 1, previous: previous)
    }

    private static func loaded(_ count: Int64, capacity: Int = 100) throws -> PositionStretch {
        var stretch = PositionStretch(capacity: capacity)
        stretch.begin(through: count)
        load(&stretch, from: try walk(count))
        return stretch
    }

    private static func held(_ stretch: PositionStretch) -> [Int64] {
        (0..<stretch.columns.count).compactMap { stretch.columns[$0]?.number }
    }

    @Test func `the newest are held, and the stretch before comes in their place`() throws {
        var stretch = try Self.loaded(250)
        #expect(Self.held(stretch) == Array(151...250))
        #expect(stretch.hasEarlier)
        stretch.earlier()
        Self.load(&stretch, from: try Self.walk(250))
        #expect(Self.held(stretch) == Array(51...150))
        _ = stretch.receive(try Self.location(251, Sample.ada))
        #expect(Self.held(stretch).last == 150)
        stretch.earlier()
        Self.load(&stretch, from: try Self.walk(250))
        #expect(Self.held(stretch) == Array(1...50))
        #expect(!stretch.hasEarlier)
        stretch.newest()
        Self.load(&stretch, from: try Self.walk(251))
        #expect(Self.held(stretch) == Array(152...251))
    }

    @Test func `new positions take the place of the oldest where there is no room`() throws {
        var stretch = try Self.loaded(100)
        #expect(!stretch.hasEarlier)
        for number in Int64(101)...102 { _ = stretch.receive(try Self.location(number, Sample.ada)) }
        #expect(Self.held(stretch) == Array(3...102))
        #expect(stretch.hasEarlier)
    }

    @Test
    func `after an expiring share ended, a person's positions go, and those that can be read come back`()
        throws
    {
        var stretch = try Self.loaded(8)
        let isLost = stretch.receive(try Self.shareEnd(9, Sample.ada))
        #expect(isLost)
        #expect(Self.held(stretch) == [2, 4, 6, 8])
        let readable = try Self.walk(8).map { $0.number == 5 ? $0.emptied(recalled: false) : $0 }
        Self.load(&stretch, from: readable)
        #expect(Self.held(stretch) == [1, 2, 3, 4, 6, 7, 8])
        #expect(!stretch.isLoading)
    }

    @Test func `an answer that was read before a share ended is asked for again`() throws {
        var stretch = PositionStretch(capacity: 100)
        stretch.begin(through: 2)
        let next = stretch.next()
        let question = try #require(next)
        _ = stretch.receive(try Self.shareEnd(3, Sample.ada))
        Self.answer(question, to: &stretch, from: try Self.walk(2))
        #expect(Self.held(stretch) == [])
        let again = stretch.next()
        #expect(again?.before == 3)
    }

    @Test func `a recalled position goes, also out of an answer that was read before`() throws {
        var stretch = PositionStretch(capacity: 100)
        stretch.begin(through: 3)
        let next = stretch.next()
        let question = try #require(next)
        let recall = Self.message(4, Sample.ada, .recall, try MessageData(Array(#"{"number":2}"#.utf8)))
        let isHeld = stretch.receive(recall)
        #expect(!isHeld)
        Self.answer(question, to: &stretch, from: try Self.walk(3))
        #expect(Self.held(stretch) == [1, 3])
    }

    @Test func `positions that the chat no longer keeps go, and the reach says why`() throws {
        var stretch = try Self.loaded(8)
        let now = Timestamp(milliseconds: 86_400_000 + 3_500)
        stretch.expire(at: now, keeping: .day)
        #expect(Self.held(stretch) == [4, 5, 6, 7, 8])
        let start = Timestamp(milliseconds: 0)
        #expect(stretch.reach(at: now, keeping: .day, created: start).reason == .kept(.day))
        #expect(stretch.reach(at: now, keeping: .day, created: now).reason == .whole)
    }
}
