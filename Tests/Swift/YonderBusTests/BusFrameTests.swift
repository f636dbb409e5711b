import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

@testable import YonderBus

struct BusFrameTests {
    private static let ada: UserID = Commits.id(11)
    private static let ben: UserID = Commits.id(12)

    @Test(arguments: [Int64.min, -1, 253_402_300_800_000, .max])
    func `a time out of the years 1970 to 9999 is refused`(milliseconds: Int64) throws {
        var bytes = BusFrame(
            node: 1,
            number: 2,
            sent: Timestamp(milliseconds: 3),
            content: .alive(hasStore: true)
        ).encoded()
        #expect(throws: Never.self) { try BusFrame(bytes) }
        let three = withUnsafeBytes(of: Int64(3).littleEndian) { Array($0) }
        let place = try #require(bytes.firstRange(of: three))
        bytes.replaceSubrange(place, with: withUnsafeBytes(of: milliseconds.littleEndian) { Array($0) })
        #expect(throws: BusFault.self) { try BusFrame(bytes) }
    }

    /// A message with everything that one may have.
    private static func full() throws -> Published {
        var message = Message(
            chat: Commits.chat,
            number: 9,
            sender: ada,
            tag: .recall,
            content: "é\u{0}",
            data: .recall(of: 3),
            time: Timestamp(milliseconds: 5),
            expires: Timestamp(milliseconds: 6),
            written: 4,
            isLate: true,
            isRecalled: true
        )
        message.share = Commits.id(5)
        let place = try #require(Coordinate(latitude: 41.5, longitude: -8.25))
        let share = Share(
            id: Commits.id(5),
            chat: Commits.chat,
            user: ada,
            started: Timestamp(milliseconds: 1),
            until: Timestamp(milliseconds: 2),
            arrival: Arrival(coordinate: place, radius: .meters(50)),
            keeping: .expiring,
            showsBattery: false,
            source: .max,
            after: 8,
            end: Share.End(time: Timestamp(milliseconds: 3), ending: .arrived),
            isErased: true
        )
        let spans = [ParticipationSpan(first: 1, last: 4), ParticipationSpan(first: 6)]
        return Published(
            Submission.Acceptance(
                message: message,
                isRepeat: false,
                recalled: Commits.message(3, content: "gone").message,
                moved: [Participant(user: ben, role: .owner, color: 3, spans: spans)],
                written: 12,
                shares: [
                    share,
                    Share(
                        id: Commits.id(6),
                        chat: Commits.chat,
                        user: ben,
                        started: Timestamp(milliseconds: 4)
                    ),
                ]
            )
        )
    }

    private static func heartbeat() throws -> ShareHeartbeat {
        let fix = ShareHeartbeat.Fix(
            time: Timestamp(milliseconds: 9),
            accuracy: .meters(7.5),
            coordinate: Coordinate(latitude: -41.5, longitude: 179.25)
        )
        return try #require(ShareHeartbeat(fix: fix, battery: 0.25, isCharging: false, isPaused: true))
    }

    static func contents() throws -> [BusContent] {
        let mark = ReadMark(chat: Commits.chat, reader: ada, number: 4)
        let outcome = ReadMark.Outcome(
            position: ReadPosition(number: 4, written: 2),
            hasMoved: true,
            isShown: false
        )
        let unkept = Published(unkept: Commits.message(nil, content: "now").message)
        return [
            .alive(hasStore: true), .alive(hasStore: false), .leaving, .committed([]),
            .committed([try full(), Commits.message(10)]),
            .passed(unkept, last: 9), .read([ReadMove(mark: mark, outcome: outcome)]),
            .started(Commits.chat), .userChanged(ada, showsReads: nil),
            .userChanged(ada, showsReads: true), .contactChanged(ada, of: ben),
            .ended(
                SignInChange(
                    ada,
                    versions: 3...4,
                    ended: .credentials([try #require(SecretHash(Array(0..<32)))])
                )
            ),
            .ended(SignInChange(ada, versions: 0 ... .max, ended: .all)),
            .ended(SignInChange(ada, versions: 1...2, ended: .role)),
            .heartbeat(
                try #require(ShareHeartbeat()),
                share: Commits.id(5),
                user: ada,
                chat: Commits.chat
            ),
            .heartbeat(try heartbeat(), share: Commits.id(5), user: ada, chat: Commits.chat),
            .written(WriteUse(messages: 1, bytes: -2, objects: 3), by: .person(ada)),
            .answered(1_000, to: ada),
            .written(WriteUse(bytes: 1 << 52), by: .app(key: "k", network: "203.0.113.0/24")),
            .asked(ada, chat: Commits.chat, by: ben),
            .blocked(BlockChange(chat: Commits.chat, blocker: ada, isBlocked: true, number: 7)),
            .presence(came: [ada], gone: [ben, ada]),
            .present(PresencePage(users: [ada, ben], number: 1, count: 3)),
            .ask(.max), .world([1, 0, 255]),
            .request(to: 3, number: 4, [5]),
            .answer(AnswerPart(node: 1, request: 2, number: 3, isLast: true, bytes: [4])),
            .answer(AnswerPart(node: 1, request: 2, number: 0, isLast: true, bytes: nil)),
            .objectsChanged([]),
            .objectsChanged([
                Lanes.change(1, of: 16), Lanes.change(2, of: 17, isRemoved: true),
                LaneChange(
                    lane: ObjectLane(entity: 3, index: 2),
                    number: 7,
                    version: 4,
                    object: Commits.id(18),
                    record: Lanes.record(18),
                    altitude: .meters(12.5),
                    movedFrom: Timestamp(milliseconds: 8)
                ),
            ]),
            .definitionsChanged,
        ]
    }

    @Test func `every content is read as it was written`() throws {
        for (number, content) in try Self.contents().enumerated() {
            let frame = BusFrame(
                node: .max - 1,
                number: UInt64(number),
                sent: Timestamp(milliseconds: 77),
                content: content
            )
            #expect(try BusFrame(frame.encoded()) == frame)
        }
    }

    @Test func `a frame that ends early, goes on, or has another version is refused`() throws {
        for content in try Self.contents() {
            let bytes = BusFrame(node: 1, number: 2, sent: Timestamp(milliseconds: 3), content: content)
                .encoded()
            for end in 0..<bytes.count {
                #expect(throws: BusFault.self) { try BusFrame(Array(bytes[..<end])) }
            }
            #expect(throws: BusFault.self) { try BusFrame(bytes + [0]) }
            #expect(throws: BusFault.self) { try BusFrame([BusFrame.version - 1] + bytes.dropFirst()) }
        }
    }

    @Test
    func `a number that nothing has is refused: a message's, a change's, a count's, a page's and a color's`()
        throws
    {
        var full = try Self.full()
        let (most, users) = (Int64(1) << 53, [Self.ada])
        for number in [most, .max, .min, -1] {
            let position = ReadPosition(number: number, written: 2)
            let outcome = ReadMark.Outcome(position: position, hasMoved: true, isShown: false)
            let mark = ReadMark(chat: Commits.chat, reader: Self.ada, number: 4)
            let change = BlockChange(chat: Commits.chat, blocker: Self.ada, isBlocked: true, number: number)
            for content: BusContent in [
                .committed([Commits.message(number)]), .passed(full, last: number), .blocked(change),
                .read([ReadMove(mark: mark, outcome: outcome)]),
                .objectsChanged([Lanes.change(number, of: 16)]),
                .objectsChanged([Lanes.change(1, of: 16, version: number)]),
                .present(PresencePage(users: users, number: Int(number), count: 1)),
                .present(PresencePage(users: users, number: 0, count: Int(number))),
                .answer(AnswerPart(node: 1, request: 2, number: Int(number), isLast: true, bytes: [4])),
            ] {
                let frame = BusFrame(node: 1, number: 2, sent: Timestamp(milliseconds: 3), content: content)
                #expect(throws: BusFault.self, "\(content)") { try BusFrame(frame.encoded()) }
            }
        }
        full = Commits.message(most - 1)
        let frame = BusFrame(
            node: 1,
            number: 2,
            sent: Timestamp(milliseconds: 3),
            content: .passed(full, last: most - 1)
        )
        #expect(try BusFrame(frame.encoded()) == frame)
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan])
    func `a distance that isn't finite is refused`(meters: Double) throws {
        let marked = 123_456.5
        let place = try #require(Coordinate(latitude: 41.5, longitude: -8.25))
        let share = Share(
            id: Commits.id(5),
            chat: Commits.chat,
            user: Self.ada,
            started: Timestamp(milliseconds: 1),
            arrival: Arrival(coordinate: place, radius: .meters(100)),
            keeping: .kept
        )
        let change = LaneChange(
            lane: ObjectLane(entity: 3, index: 0),
            number: 7,
            version: 4,
            object: Commits.id(16),
            record: nil,
            altitude: .meters(marked)
        )
        for (content, value) in [
            (BusContent.shares([share]), 100), (.objectsChanged([change]), marked),
            (
                .heartbeat(
                    try Self.heartbeat(),
                    share: Commits.id(5),
                    user: Self.ada,
                    chat: Commits.chat
                ), 7.5
            ),
        ] {
            var bytes = BusFrame(node: 1, number: 2, sent: Timestamp(milliseconds: 3), content: content)
                .encoded()
            let pattern = { (value: Double) in
                withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
            }
            bytes.replaceSubrange(try #require(bytes.firstRange(of: pattern(value))), with: pattern(meters))
            #expect(throws: BusFault.self) { try BusFrame(bytes) }
        }
    }

    @Test(arguments: UInt64(0)..<20)
    func `changed bytes never crash the reader`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for content in try Self.contents() {
            var bytes = BusFrame(node: 1, number: 2, sent: Timestamp(milliseconds: 3), content: content)
                .encoded()
            for _ in 0..<40 {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                bytes[index] = UInt8.random(in: 0...255, using: &random)
                _ = try? BusFrame(bytes)
            }
        }
    }
}
