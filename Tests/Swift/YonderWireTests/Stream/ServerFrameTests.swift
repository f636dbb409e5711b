import TestSupport
import Testing
import YonderGeodesy
import YonderModel

@testable import YonderWire

@Suite struct ServerFrameTests {
    @Test(arguments: StreamSamples.serverFrames)
    func `a server's frame is read back the same`(_ frame: ServerFrame) throws {
        #expect(try ServerFrame.parse(frame.encoded()) == frame)
    }

    @Test func `the frames are those of the documentation`() {
        let message = Message(
            chat: StreamSamples.chatID,
            number: 57,
            sender: StreamSamples.ada,
            tag: .text,
            content: "hi",
            time: StreamSamples.time
        )
        expect(
            .message(topic: 7, message),
            #"{"type":"message","topic":7,"chat":"77","number":57,"sender":"1234","tag":"Text","content":"hi","time":1764000000000}"#
        )
        expect(
            .hello(Hello(user: StreamSamples.ada, name: "Ada", time: StreamSamples.time)),
            #"{"type":"hello","version":1,"user":"1234","name":"Ada","time":1764000000000,"partial":true,"limits":{"frame":98304,"message":71680,"subscriptions":256}}"#
        )
        expect(
            .error(
                FrameRefusal(
                    SharingError(.tooManyRequests, "Too fast.", retryAfter: .seconds(1)),
                    key: "k1"
                )
            ),
            #"{"type":"error","key":"k1","code":"tooManyRequests","message":"Too fast.","retryAfter":1000}"#
        )
    }

    @Test func `a region's frames are those of the documentation`() {
        expect(
            .region(
                RegionFrame(
                    topic: 12,
                    answer: RegionFrame.Answer(id: 5, step: 0, limit: 300, field: StreamSamples.at),
                    total: 12_345,
                    entered: [.object(StreamSamples.bare)]
                )
            ),
            #"{"type":"region","id":5,"topic":12,"step":0,"current":true,"total":12345,"limit":300,"field":"at","entered":[{"id":"100","entity":"cafe","created":1764000000000,"updated":1764000000000,"fields":{}}]}"#
        )
        expect(
            .region(
                RegionFrame(
                    topic: 12,
                    total: 3,
                    left: [.object(StreamSamples.bare.id), .person(StreamSamples.chatID, StreamSamples.ada)],
                    moved: [.object(StreamSamples.move), .person(StreamSamples.walker)]
                )
            ),
            #"{"type":"region","topic":12,"total":3,"left":["100","77/1234"],"moved":[{"id":"99","latitude":-52.5200066,"longitude":0.0000001,"altitude":-3.5,"updated":1764000000000},{"chat":"77","user":"1234","time":1764000000000,"latitude":1e-07,"longitude":-1e-07}]}"#
        )
    }

    @Test func `a region's long answer comes in pages, what left first, and a change's total in the last`()
        throws
    {
        let items = (1...500).map { number in
            RegionItem.object(
                ObjectRecord(
                    id: StreamSamples.identifier(Int64(number)),
                    entity: StreamSamples.cafe,
                    created: StreamSamples.time,
                    updated: StreamSamples.time,
                    coordinate: nil,
                    fields: Array(#"{"x":"\#(String(repeating: "x", count: number * 7 % 900))"}"#.utf8)
                )
            )
        }
        var frame = RegionFrame(
            topic: 7,
            answer: RegionFrame.Answer(id: 1, step: 2),
            total: 900,
            left: (1...500).map { .object(StreamSamples.identifier($0)) },
            entered: items
        )
        let answer = try regionPages(of: frame)
        #expect(answer.count > 3 && answer.flatMap(\.entered) == items)
        #expect(answer.map { $0.answer?.isCurrent } == answer.indices.map { $0 == answer.count - 1 })
        #expect(answer.allSatisfy { $0.total == 900 })
        #expect(answer.first?.left == frame.left)

        frame.answer = nil
        let change = try regionPages(of: frame)
        #expect(change.flatMap(\.entered) == items)
        #expect(change.map(\.total) == change.indices.map { $0 == change.count - 1 ? 900 : nil })
    }

    private func regionPages(of frame: RegionFrame) throws -> [RegionFrame] {
        try ServerFrame.region(frame).encodedPages().map { bytes in
            #expect(bytes.count <= ServerFrame.pageLimit)
            guard case .region(let page)? = try ServerFrame.parse(bytes) else {
                throw SharingError(.invalidFrame, "no region")
            }
            return page
        }
    }

    private func expect(_ frame: ServerFrame, _ text: String) {
        #expect(String(decoding: frame.encoded(), as: UTF8.self) == text)
    }

    @Test func `a client ignores fields and types that it doesn't know`() throws {
        #expect(try ServerFrame.parse([UInt8](#"{"type":"weather","id":"x"}"#.utf8)) == nil)
        let pong = [UInt8](#"{"mood":{"a":[1]},"type":"pong","time":5,"id":"not one"}"#.utf8)
        #expect(try ServerFrame.parse(pong) == .pong(time: Timestamp(milliseconds: 5)))
    }

    @Test func `a prefix and a body make a message frame`() {
        let body = ServerFrame.messageBody(StreamSamples.location)
        let frame = ServerFrame.message(topic: 9, StreamSamples.location)
        #expect(ServerFrame.messagePrefix(topic: 9) + body == frame.encoded())
    }

    @Test func `a long answer comes in pages, and only the last says that it is current`() throws {
        let messages = (1...500).map { number in
            Message(
                chat: StreamSamples.chatID,
                number: Int64(number),
                sender: StreamSamples.ada,
                tag: .text,
                content: String(repeating: "x", count: number == 250 ? 70_000 : number * 7 % 900),
                time: StreamSamples.time
            )
        }
        let answer = MessagesFrame(
            id: 1,
            topic: 7,
            first: 1,
            through: 501,
            isCurrent: true,
            messages: messages
        )
        var read: [Message] = []
        let pages = ServerFrame.messages(answer).encodedPages()
        for (index, bytes) in pages.enumerated() {
            guard case .messages(let page)? = try ServerFrame.parse(bytes) else {
                Issue.record("page \(index) is none")
                return
            }
            read += page.messages
            let isLast = index == pages.count - 1
            #expect(page.isCurrent == isLast)
            #expect(page.through == (isLast ? 501 : read.last?.number))
            #expect(bytes.count <= ServerFrame.pageLimit || page.messages.count == 1)
        }
        #expect(read == messages)
        #expect(pages.count > 3)
    }

    @Test func `an answer without anything in it is one page`() {
        let frame = ServerFrame.world(id: 1, topic: 2, isCurrent: true, you: "a", pins: [])
        #expect(frame.encodedPages() == [frame.encoded()])
    }

    @Test func `mutated frames are read or refused, never more`() {
        let originals =
            StreamSamples.serverFrames.map { $0.encoded() } + StreamSamples.clientFrames.map { $0.encoded() }
        for seed in UInt64(0)..<2_000 {
            var random = SeededGenerator(seed: seed)
            let bytes = Self.mutated(originals[Int(random.next() % UInt64(originals.count))], using: &random)
            if let frame = try? ClientFrame.parse(bytes) {
                #expect((try? ClientFrame.parse(frame.encoded())) == frame, "seed \(seed)")
            }
            if let frame = try? ServerFrame.parse(bytes) {
                #expect((try? ServerFrame.parse(frame.encoded())) == frame, "seed \(seed)")
            }
        }
    }

    @Test func `random bytes are refused`() {
        for seed in UInt64(0)..<500 {
            var random = SeededGenerator(seed: seed)
            let bytes = (0..<Int(random.next() % 64)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            #expect(throws: FrameRefusal.self, "seed \(seed)") { try ClientFrame.parse(bytes) }
            #expect(throws: SharingError.self, "seed \(seed)") { try ServerFrame.parse(bytes) }
        }
    }

    private static func mutated(_ bytes: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        let alphabet = [UInt8](#"{}[]",:\0123456789eE+-.tfnu"#.utf8) + [0x00, 0x20, 0xC3, 0xFF]
        for _ in 0...Int(random.next() % 3) where !bytes.isEmpty {
            let index = Int(random.next() % UInt64(bytes.count))
            let letter = alphabet[Int(random.next() % UInt64(alphabet.count))]
            switch random.next() % 4 {
            case 0: bytes[index] = letter
            case 1: bytes.insert(letter, at: index)
            case 2: bytes.remove(at: index)
            default: bytes.replaceSubrange(index..., with: bytes[..<index])
            }
        }
        return bytes
    }
}

extension ServerFrame {
    static func parse(_ bytes: [UInt8]) throws(SharingError) -> ServerFrame? {
        try bytes.withUnsafeBufferPointer { buffer throws(SharingError) in
            try parse(UnsafeRawBufferPointer(buffer))
        }
    }
}
