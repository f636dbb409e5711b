import Synchronization
import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules
import YonderWire
import YonderWorld

@testable import YonderBus
@testable import YonderHub

/// What a node does with the numbers of a peer that is wrong or wants harm.
@Suite(.timeLimit(.minutes(5))) struct BusNumberTests {
    /// What is no number of anything, and what lies at a bound.
    private static let extremes: [UInt64] = [
        UInt64(bitPattern: .min), .max, UInt64(Int64.max), UInt64(Int64.max) - 1, 1 << 53, (1 << 53) - 1,
    ]

    @Test func `a node goes on after extreme numbers in every place of every kind of frame`() async throws {
        try await NodesHarness.run(nodes: 1) { nodes in
            let node = nodes.nodes[0]
            _ = try await nodes.subscribe(1, to: 0)
            let bus = nodes.medium.join()
            var number: UInt64 = 0
            var sent = 0
            for content in try Self.contents(nodes) {
                let bytes = BusFrame(node: 7, number: 1, sent: .now, content: content).encoded()
                for place in Self.head..<max(Self.head, bytes.count - 7) {
                    for extreme in Self.extremes {
                        number += 1
                        bus.publish(bytes.with(number, at: Self.numberPlace).with(extreme, at: place))
                        sent += 1
                    }
                }
            }
            // The same in the frame's head: its node, its number and its time.
            let alive = BusFrame(node: 8, number: 1, sent: .now, content: .alive(hasStore: true)).encoded()
            for place in 1...Self.head - 8 {
                for extreme in Self.extremes { bus.publish(alive.with(extreme, at: place)) }
            }
            bus.publish(BusFrame(node: 9, number: 1, sent: .now, content: .alive(hasStore: true)).encoded())
            while !node.link.others.contains(9) { await Task.yield() }
            #expect(node.link.report.bus.unreadable > sent / 10)

            let chat = try await node.start(
                ChatStart(creator: nodes.people[0].id, invitees: [nodes.people[1].id]),
                under: .server
            ).chat.id
            let client = try await nodes.connect(0, to: 0)
            try await client.send(#"{"type":"subscribe","id":1,"query":"messages","chat":"\#(chat)"}"#)
            try await client.until(\.isCurrent)
            try await client.send(
                #"{"type":"send","key":"k","chat":"\#(chat)","tag":"Text","content":"still here"}"#
            )
            #expect(try await client.next(\.message).content == "still here")
        }
    }

    @Test func `a page of a node's users with an impossible number isn't read`() throws {
        for (number, count) in [(Int.max, 1), (0, Int.min), (1, 1), (0, 0), (-1, 0), (0, .max)] {
            let page = PresencePage(users: [], number: number, count: count)
            let bytes = BusFrame(node: 1, number: 1, sent: .now, content: .present(page)).encoded()
            #expect(throws: BusFault.self) { try BusFrame(bytes) }
        }
    }

    @Test func `no number of a client's makes a frame that other nodes can't read`() async throws {
        try await NodesHarness.run { nodes in
            let reader = try await nodes.subscribe(1, to: 1)
            let client = try await nodes.connect(0, to: 0)
            let chat = nodes.chat
            try await client.send(#"{"type":"share","key":"s","chat":"\#(chat)"}"#)
            _ = try await client.next(\.shared)
            for (index, number) in Self.extremes.map({ Int64(bitPattern: $0) }).enumerated() {
                for keep in [true, false] {
                    try await client.send(
                        """
                        {"type":"send","key":"\(index)\(keep)","chat":"\(chat)","tag":"Text","keep":\(keep),\
                        "expires":\(number)}
                        """
                    )
                }
                try await client.send(#"{"type":"heartbeat","chat":"\#(chat)","fix":{"time":\#(number)}}"#)
                try await client.send(#"{"type":"read","chat":"\#(chat)","number":\#(number)}"#)
                try await client.send(#"{"type":"stopShares","key":"b\#(index)","before":\#(number)}"#)
            }
            // What a server of years ago stored is recalled, too.
            let old = MessageDraft(tag: .text, content: "old", expires: Timestamp(milliseconds: .max))
            let message = Submission(
                chat: chat,
                sender: nodes.people[0].id,
                key: "old",
                action: .message(old),
                time: .now
            )
            let number = try await nodes.nodes[0].submit(message).message.logNumber
            try await client.send(#"{"type":"recall","key":"r","chat":"\#(chat)","number":\#(number)}"#)
            try await client.send(
                #"{"type":"send","key":"last","chat":"\#(chat)","tag":"Text","content":"last"}"#
            )
            _ = try await reader.next { $0.message?.content == "last" ? true : nil }
            #expect(nodes.nodes[1].link.report.bus.unreadable == 0)
        }
    }

    @Test func `after a frame that can't be read its node isn't asked for everything`() async throws {
        try await NodesHarness.run(nodes: 1) { nodes in
            let asked = Mutex<[UInt64]>([])
            let bus = nodes.medium.join()
            bus.start { event in
                guard case .frame(let bytes) = event, let frame = try? BusFrame(bytes),
                    case .ask(let node) = frame.content
                else { return }
                asked.withLock { $0.append(node) }
            }
            let alive = BusContent.alive(hasStore: true)
            bus.publish(BusFrame(node: 7, number: 1, sent: .now, content: alive).encoded())
            while asked.withLock(\.isEmpty) { await Task.yield() }
            let users = BusContent.present(PresencePage(users: [], number: 0, count: 1))
            bus.publish(BusFrame(node: 7, number: 2, sent: .now, content: users).encoded())
            while !nodes.nodes[0].link.isSettled { await Task.yield() }
            asked.withLock { $0 = [] }
            let bad = BusFrame(node: 7, number: 3, sent: .now, content: .started(nodes.chat)).encoded()
            bus.publish(Array(bad.dropLast()))
            bus.publish(BusFrame(node: 7, number: 4, sent: .now, content: alive).encoded())
            bus.publish(BusFrame(node: 9, number: 1, sent: .now, content: alive).encoded())
            while !asked.withLock({ $0.contains(9) }) { await Task.yield() }
            #expect(nodes.nodes[0].link.report.bus.unreadable == 1)
            #expect(asked.withLock { !$0.contains(7) })
        }
    }

    /// Where a frame's number begins, and where its head ends, in bytes.
    private static let numberPlace = 9
    private static let head = 25

    /// A frame of each kind with a value in each of its fields, of a chat and users that the receiving node has.
    private static func contents(_ nodes: NodesHarness) throws -> [BusContent] {
        let (chat, user, other) = (nodes.chat, nodes.people[2].id, nodes.people[1].id)
        let mark = ReadMark(chat: chat, reader: user, number: 4)
        let outcome = ReadMark.Outcome(
            position: ReadPosition(number: 4, written: 2),
            hasMoved: true,
            isShown: true
        )
        let share = try share(in: chat, of: user)
        let unkept = Message(chat: chat, number: nil, sender: user, tag: .text, content: "now", time: .now)
        let fix = ShareHeartbeat.Fix(
            time: .now,
            accuracy: .meters(7.5),
            coordinate: Coordinate(latitude: -41.5, longitude: 179.25)
        )
        let heartbeat = try #require(ShareHeartbeat(fix: fix, battery: 0.25, isCharging: false))
        let pin = try #require(WorldPosition("1,2"))
        let member = try #require(WorldID(Array("abcdefghij".utf8)))
        return [
            .alive(hasStore: true), .committed([try published(in: chat, by: user, share)]),
            .passed(Published(unkept: unkept), last: 9),
            .read([ReadMove(mark: mark, outcome: outcome)]), .started(chat),
            .userChanged(user, showsReads: true), .contactChanged(user, of: other),
            .ended(SignInChange(user, versions: 3...4, ended: .role)),
            .heartbeat(heartbeat, share: share.id, user: user, chat: chat),
            .written(WriteUse(messages: 1, bytes: 2, objects: 3), by: .person(user)),
            .answered(1_000, to: user), .asked(user, chat: chat, by: other),
            .blocked(BlockChange(chat: chat, blocker: user, isBlocked: false, number: 7)),
            .presence(came: [user], gone: [other]),
            .present(PresencePage(users: [user, other], number: 0, count: 2)),
            .ask(nodes.nodes[0].link.node), .request(to: nodes.nodes[0].link.node, number: 4, [5]),
            .answer(
                AnswerPart(node: nodes.nodes[0].link.node, request: 1, number: 0, isLast: true, bytes: [4])
            ),
            .world(WorldNews.pins([MemberPin(member, at: pin.bytes)], part: 0, isLast: false).encoded()),
            .objectsChanged([change()]), .definitionsChanged, .shares([share]), .leaving,
        ]
    }

    private static func share(in chat: ChatID, of user: UserID) throws -> Share {
        let place = try #require(Coordinate(latitude: 41.5, longitude: -8.25))
        return Share(
            id: try #require(ShareID(5)),
            chat: chat,
            user: user,
            started: .now,
            until: .now + .seconds(600),
            arrival: Arrival(coordinate: place, radius: .meters(50)),
            keeping: .expiring,
            showsBattery: false,
            source: 7,
            after: 8,
            end: Share.End(time: .now, ending: .arrived),
            isErased: false
        )
    }

    private static func published(in chat: ChatID, by user: UserID, _ share: Share) throws -> Published {
        let message = Message(
            chat: chat,
            number: 9,
            sender: user,
            tag: .recall,
            content: "",
            data: .recall(of: 3),
            time: .now,
            expires: .now + .seconds(60),
            written: 4
        )
        let spans = [ParticipationSpan(first: 1, last: 4), ParticipationSpan(first: 6)]
        return Published(
            Submission.Acceptance(
                message: message,
                isRepeat: false,
                recalled: Message(chat: chat, number: 3, sender: user, tag: .text, content: "a", time: .now),
                moved: [Participant(user: user, role: .member, color: 3, spans: spans)],
                written: 12,
                shares: [share]
            )
        )
    }

    private static func change() -> LaneChange {
        let id = ObjectID(16) ?? .random()
        return LaneChange(
            lane: ObjectLane(entity: 1, of: id),
            number: 7,
            version: 1,
            object: id,
            record: nil,
            altitude: .meters(12.5),
            movedFrom: .now
        )
    }
}

extension [UInt8] {
    /// The bytes with the eight of an integer at a place.
    fileprivate func with(_ value: UInt64, at place: Int) -> [UInt8] {
        var bytes = self
        bytes.replaceSubrange(
            place..<place + 8,
            with: Swift.withUnsafeBytes(of: value.littleEndian) { Array($0) }
        )
        return bytes
    }
}
