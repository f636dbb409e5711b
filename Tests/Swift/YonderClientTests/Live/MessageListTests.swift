import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderWire

@testable import YonderClient

@Suite struct MessageListTests {
    private func page(_ messages: [Message], through: Int64, isCurrent: Bool = true, first: Int64 = 1)
        -> ServerFrame
    {
        .messages(
            MessagesFrame(
                id: 1,
                topic: 1,
                first: first,
                through: through,
                isCurrent: isCurrent,
                messages: messages
            )
        )
    }

    @Test func `a list is pending until the last page, then current`() {
        var list = MessageList(MessageQuery(chat: Sample.chat))
        #expect(list.apply(page([Sample.message(1)], through: 1, isCurrent: false)) == .nothing)
        #expect(!list.isCurrent)
        #expect(list.apply(page([Sample.message(2)], through: 3)) == .list)
        #expect(list.isCurrent)
        #expect(list.snapshot == [Sample.message(1), Sample.message(2)])
        #expect(list.apply(.message(topic: 1, Sample.message(4))) == .changes([.added(Sample.message(4))]))
    }

    @Test func `it goes on where it stopped, everything that was missed included`() {
        var list = MessageList(MessageQuery(chat: Sample.chat, limit: 5))
        #expect(list.query == .messages(MessageQuery(chat: Sample.chat, limit: 5)))
        _ = list.apply(page([], through: 0))
        var resumed = MessageQuery(chat: Sample.chat)
        resumed.limit = MessageQuery.unlimited
        #expect(list.query == .messages(resumed))
        _ = list.apply(.message(topic: 1, Sample.message(9)))
        resumed.since = 9
        #expect(list.query == .messages(resumed))
        #expect(
            list.apply(page([Sample.message(9), Sample.message(10)], through: 12))
                == .changes([.added(Sample.message(10))])
        )
        resumed.since = 12
        #expect(list.query == .messages(resumed))
    }

    @Test func `a recall empties its message, and is listed only if the query asks for its tag`() {
        let recall = Sample.message(3, tag: .recall, data: .recall(of: 1))
        let written = Sample.message(1, content: "oh")
        var all = MessageList(MessageQuery(chat: Sample.chat))
        _ = all.apply(page([written, Sample.message(2)], through: 2))
        #expect(
            all.apply(.message(topic: 1, recall))
                == .changes([.recalled(written.emptied(recalled: true)), .added(recall)])
        )
        #expect(all.snapshot == [written.emptied(recalled: true), Sample.message(2), recall])

        var texts = MessageList(MessageQuery(chat: Sample.chat, tag: .text))
        _ = texts.apply(page([written], through: 2))
        #expect(
            texts.apply(.message(topic: 1, recall)) == .changes([.recalled(written.emptied(recalled: true))])
        )
    }

    @Test func `with latest a newer message takes the place of the sender's older one`() {
        var list = MessageList(MessageQuery(chat: Sample.chat, latest: true))
        _ = list.apply(page([Sample.message(1), Sample.message(2, from: Sample.bea)], through: 2))
        _ = list.apply(.message(topic: 1, Sample.message(7)))
        #expect(list.snapshot == [Sample.message(2, from: Sample.bea), Sample.message(7)])
    }

    @Test func `with latest a late position isn't listed until the newest is recalled`() throws {
        func located(_ number: Int64, at time: Int64) throws -> Message {
            let place = try #require(Coordinate(latitude: 1, longitude: 2))
            let moment = Timestamp(milliseconds: time)
            let data = MessageData(position: Position(coordinate: place, timestamp: moment))
            return Sample.message(number, tag: .location, data: data)
        }
        var list = MessageList(MessageQuery(chat: Sample.chat, tag: .location, latest: true))
        let (newest, late) = (try located(1, at: 9), try located(2, at: 5))
        _ = list.apply(page([newest], through: 1))
        #expect(list.apply(.message(topic: 1, late)) == .changes([]))
        #expect(list.snapshot == [newest])
        let recall = Sample.message(3, tag: .recall, data: .recall(of: 1))
        #expect(
            list.apply(.message(topic: 1, recall)) == .changes([.recalled(newest.emptied(recalled: true))])
        )
        #expect(list.mustAskAnew)
        let later = try located(4, at: 6)
        _ = list.apply(.message(topic: 1, later))
        #expect(list.snapshot == [later])
    }

    @Test func `with latest a recall isn't its sender's newest, whatever the query's tag`() {
        var list = MessageList(MessageQuery(chat: Sample.chat, latest: true))
        _ = list.apply(page([Sample.message(2), Sample.message(3, from: Sample.bea)], through: 3))
        _ = list.apply(.message(topic: 1, Sample.message(4, tag: .recall, data: .recall(of: 2))))
        #expect(list.snapshot == [Sample.message(3, from: Sample.bea)])
        #expect(list.query == .messages(MessageQuery(chat: Sample.chat, latest: true)))
        list.reopen()
        #expect(
            list.apply(page([Sample.message(1), Sample.message(3, from: Sample.bea)], through: 4))
                == .changes([.added(Sample.message(1))])
        )
        #expect(list.snapshot == [Sample.message(1), Sample.message(3, from: Sample.bea)])
    }

    @Test(arguments: [true, false])
    func
        `after an expiring share ended, positions are asked for anew and those without data leave or are emptied`(
            latest: Bool
        ) throws
    {
        let position = try MessageData(Array(#"{"latitude":"1","longitude":"2"}"#.utf8))
        func located(_ number: Int64, from sender: UserID = Sample.ada) -> Message {
            Sample.message(number, from: sender, tag: .location, data: position)
        }
        let query = MessageQuery(chat: Sample.chat, tag: .location, latest: latest)
        var list = MessageList(query)
        _ = list.apply(page([located(3), located(4, from: Sample.bea)], through: 4))
        let kept = try MessageData(Array(#"{"share":"7","state":"stopped","until":null,"keep":"kept"}"#.utf8))
        #expect(list.apply(.message(topic: 1, Sample.message(5, tag: .share, data: kept))) == .changes([]))
        #expect(!list.mustAskAnew)
        let over = try MessageData(
            Array(#"{"share":"8","state":"stopped","until":null,"keep":"expiring"}"#.utf8)
        )
        #expect(list.apply(.message(topic: 1, Sample.message(6, tag: .share, data: over))) == .changes([]))
        #expect(list.mustAskAnew)
        #expect(list.query == .messages(query))
        list.reopen()
        let (emptied, bea) = (located(3).emptied(recalled: false), located(4, from: Sample.bea))
        let answer = latest ? [located(2), bea] : [located(2), emptied, bea]
        let changes: [MessageChange] =
            latest
            ? [.recalled(located(3).emptied(recalled: true)), .added(located(2))]
            : [.added(located(2)), .recalled(emptied)]
        // A server may send the end once more; it was asked after that.
        let end = Sample.message(6, tag: .share, data: over)
        #expect(list.apply(page(answer + [end], through: 6)) == .changes(changes))
        #expect(list.snapshot == answer)
        #expect(!list.mustAskAnew)
        _ = list.apply(.message(topic: 1, Sample.message(7, from: Sample.bea, tag: .leave)))
        #expect(list.mustAskAnew)
    }

    @Test func `a first answer leaves out what can't be read, so that nothing is asked for anew`() throws {
        var list = MessageList(MessageQuery(chat: Sample.chat, tag: .location))
        _ = list.apply(page([Sample.message(1, tag: .location), Sample.message(2, tag: .leave)], through: 2))
        #expect(!list.mustAskAnew)
        #expect(list.snapshot.map(\.tag) == [.location])
    }

    @Test func `an unkept message isn't added to the list`() {
        var list = MessageList(MessageQuery(chat: Sample.chat))
        _ = list.apply(page([], through: 5))
        #expect(
            list.apply(.message(topic: 1, Sample.message(nil))) == .changes([.passed(Sample.message(nil))])
        )
        #expect(list.snapshot.isEmpty)
    }

    @Test func `messages that the server no longer has are removed from the list`() {
        var list = MessageList(MessageQuery(chat: Sample.chat))
        _ = list.apply(page([Sample.message(1), Sample.message(2)], through: 2))
        let later = page([Sample.message(9)], through: 9, first: 8)
        #expect(list.apply(later) == .changes([.trimmed(below: 8), .added(Sample.message(9))]))
        #expect(list.snapshot == [Sample.message(9)])
    }

    @Test func `a list has the newest messages, at most its limit`() {
        var list = MessageList(MessageQuery(chat: Sample.chat, limit: 8))
        _ = list.apply(page([], through: 0))
        for number in Int64(1)...100 {
            _ = list.apply(.message(topic: 1, Sample.message(number)))
            #expect(list.snapshot.map(\.number) == Array(max(1, number - 7)...number))
        }
    }

    @Test func `over any cuts every message is an update once and in order`() {
        for seed in UInt64(0)..<300 {
            var random = SeededGenerator(seed: seed)
            var list = MessageList(MessageQuery(chat: Sample.chat))
            var said: [Int64] = []
            var sent: Int64 = 0
            func hear(_ frame: ServerFrame) {
                switch list.apply(frame) {
                case .nothing: break
                case .list: said = list.snapshot.map(\.logNumber)
                case .changes(let changes):
                    for case .added(let message) in changes { said.append(message.logNumber) }
                }
            }
            func answer() {
                guard case .messages(let query) = list.query else { return }
                var number = query.since
                while number < sent {
                    let end = min(sent, number + 1 + Int64(random.next() % 5))
                    let messages = (number + 1...end).map { Sample.message($0) }
                    hear(page(messages, through: end, isCurrent: end == sent))
                    number = end
                    if random.next() % 8 == 0 { return answer() }
                }
                hear(page([], through: sent))
            }
            answer()
            for _ in 0..<100 {
                sent += 1
                switch random.next() % 4 {
                case 0: break
                case 1: answer()
                default:
                    answer()
                    sent += 1
                    hear(.message(topic: 1, Sample.message(sent)))
                }
            }
            answer()
            #expect(said == Array(1...sent), "seed \(seed)")
        }
    }
}
