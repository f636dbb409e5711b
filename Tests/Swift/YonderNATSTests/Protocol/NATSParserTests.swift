import Foundation
import Testing

@testable import YonderNATS

struct NATSParserTests {
    @Test func `operations are the same however they are cut`() throws {
        let bytes = Array(
            """
            INFO {"server_id":"A","max_payload":100,"tls_required":false}\r
            PING\r
            MSG y.main.c.17 9 5\r
            hello\r
            -ERR 'Slow Consumer'\r
            MSG a 1 b.c 4\r
            \r
            \r
            \r
            PONG\r
            +OK\r

            """.utf8
        )
        var info = NATSServerInfo()
        info.maxPayload = 100
        let expected: [Heard] = [
            Heard(.info(info)), Heard(.ping),
            Heard(.message(.init(subject: "y.main.c.17", subscription: 9, length: 5)), "hello"),
            Heard(.error("Slow Consumer")),
            Heard(.message(.init(subject: "a", subscription: 1, reply: "b.c", length: 4)), "\r\n\r\n"),
            Heard(.pong), Heard(.ok),
        ]

        for size in 1...bytes.count {
            var reader = Reader()
            var heard: [Heard] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                heard += try reader.read(bytes[start..<min(bytes.count, start + size)])
            }
            #expect(heard == expected, "in pieces of \(size)")
        }
    }

    @Test func `the bytes of nats-server 2·9·10 are read`() throws {
        let capture = try Data(contentsOf: Self.fixture("nats-server-2.9.10.bin"))
        var reader = Reader()

        let heard = try reader.read([UInt8](capture)[...])

        guard case .info(let info) = heard.first?.operation else {
            Issue.record("begins with \(String(describing: heard.first))")
            return
        }
        #expect(info == NATSServerInfo())
        #expect(
            heard.dropFirst().filter { $0.operation != .ok } == [
                Heard(.pong),
                Heard(
                    .message(
                        .init(subject: "y.main.c.17", subscription: 1, reply: "y.main.answers", length: 5)
                    ),
                    "hello"
                ),
                Heard(.message(.init(subject: "b.empty", subscription: 2, length: 0)), ""),
                Heard(.message(.init(subject: "y.main.c.18", subscription: 1, length: 11)), "two\r\n lines"),
                Heard(.pong), Heard(.error("Unknown Protocol Operation")),
            ]
        )
        #expect(reader.unread.isEmpty)
    }

    @Test(arguments: [
        "msg a 1 0\r\n\r\n", "MSG\ta\t1\t0\r\n\r\n", "  MSG   a  1 \t 0  \r\n\r\n",
    ])
    func `operations are read in any case and with any blanks`(text: String) throws {
        var reader = Reader()
        #expect(
            try reader.read(Array(text.utf8)[...])
                == [Heard(.message(.init(subject: "a", subscription: 1, length: 0)), "")]
        )
    }

    @Test(arguments: [
        "\r\n", "PUB a 0\r\n", "HMSG a 1 12 12\r\n", "MSG a 1\r\n", "MSG a 1 2 3 4\r\n", "MSG a b 3\r\n",
        "MSG a 1 -3\r\n",
        "MSG a 1 +3\r\n", "MSG a 1 99999999999999999999999\r\n", "MSG a 18446744073709551616 1\r\n",
        "MSG a 1 4294967296\r\n",
        "PINGPONG\r\n", "\0\0\0\0\r\n", "INFO\r\n", "INFO []\r\n", "INFO {\"max_payload\":\"x\"}\r\n",
        "INFO {} {}\r\n",
        "\u{FFFD}é\r\n", "MSG a 1 2\r\nabcd", "MSG a 1 0\r\nab",
    ])
    func `bytes that aren't the protocol are a fault`(text: String) {
        var reader = Reader()
        #expect(throws: NATSFault.self) { try reader.read(Array(text.utf8)[...]) }
    }

    @Test func `a control line is limited, and an INFO has a limit of its own`() throws {
        var limits = NATSParser.Limits()
        limits.line = 16
        limits.info = 64
        let long = "-ERR '" + String(repeating: "x", count: 7) + "'\r\n"
        let info = "INFO {\"a\":\"" + String(repeating: "x", count: 49) + "\"}\r\n"

        var reader = Reader(limits)
        #expect(try reader.read(Array(long.utf8)[...]).count == 1)
        #expect(try reader.read(Array(info.utf8)[...]).count == 1)
        #expect(throws: NATSFault.overlongLine(limit: 16)) { try reader.read(Array("x\(long)".utf8)[...]) }

        reader = Reader(limits)
        #expect(try reader.read(Array("-ERR 'never end".utf8)[...]).isEmpty)
        #expect(throws: NATSFault.overlongLine(limit: 16)) { try reader.read(Array("s".utf8)[...]) }

        reader = Reader(limits)
        #expect(throws: NATSFault.overlongLine(limit: 64)) { try reader.read(Array("I\(info)".utf8)[...]) }
    }

    @Test func `a payload over the limit is refused before it comes`() throws {
        var limits = NATSParser.Limits()
        limits.payload = 10
        var reader = Reader(limits)

        #expect(try reader.read(Array("MSG a 1 10\r\n".utf8)[...]).isEmpty)
        #expect(try reader.read(Array("0123456789\r\n".utf8)[...]).count == 1)
        #expect(throws: NATSFault.overlongPayload(11, limit: 10)) {
            try reader.read(Array("MSG a 1 11\r\n".utf8)[...])
        }
    }

    @Test func `random bytes never trap`() {
        for seed in UInt64(0)..<500 {
            var random = SeededBytes(seed: seed)
            var reader = Reader()
            let words = ["MSG ", "PING\r\n", "a ", "1 ", "\r\n", "INFO {", "}", "-ERR '", "99", "\0", "\""]
            var text: [UInt8] = []
            for _ in 0..<20 { text += Array(words[Int(random.next() % UInt64(words.count))].utf8) }
            _ = try? reader.read(text[...])
        }
    }

    private static func fixture(_ name: String) -> URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/nats/\(name)")
    }
}

/// One operation and the payload of a message as text.
private struct Heard: Equatable {
    let operation: NATSOperation
    let payload: String?

    init(_ operation: NATSOperation, _ payload: String? = nil) {
        self.operation = operation
        self.payload = payload
    }
}

/// Keeps the unread bytes, as a connection does.
private struct Reader {
    private var parser: NATSParser
    private(set) var unread: [UInt8] = []

    init(_ limits: NATSParser.Limits = NATSParser.Limits()) {
        parser = NATSParser(limits: limits)
    }

    mutating func read(_ bytes: ArraySlice<UInt8>) throws -> [Heard] {
        unread += bytes
        var heard: [Heard] = []
        while let item = try next() {
            heard.append(
                Heard(item.operation, item.payload.map { String(decoding: unread[$0], as: UTF8.self) })
            )
            unread.removeFirst(item.used)
        }
        return heard
    }

    private mutating func next() throws(NATSFault) -> NATSParser.Item? {
        let bytes = unread
        return try parser.next(bytes.span)
    }
}

/// SplitMix64.
private struct SeededBytes {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        let mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        return mixed ^ mixed >> 27
    }
}
