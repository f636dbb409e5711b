import TestSupport
import Testing
import YonderWire

@Suite struct EnginePayloadTests {
    private let hello = EnginePacket(.message, text: "hello")
    private let bytes = EnginePacket(.message, [1, 2, 3, 4], isBinary: true)

    @Test func `generation 4 joins packets with the record separator`() throws {
        let body = Array("4hello\u{1E}2\u{1E}bAQIDBA==".utf8)
        let packets = [hello, EnginePacket(.ping), bytes]
        #expect(try EnginePayload.packets(in: body, version: .four) == packets)
        #expect(EnginePayload.body(of: packets, version: .four, allowsBinary: true) == (body, false))
    }

    @Test func `generation 3 puts lengths before packets`() throws {
        let body = Array("6:4hello1:210:b4AQIDBA==".utf8)
        let packets = [hello, EnginePacket(.ping), bytes]
        #expect(try EnginePayload.packets(in: body, version: .three) == packets)
        #expect(EnginePayload.body(of: packets, version: .three, allowsBinary: false) == (body, false))
    }

    @Test(arguments: [("é", 2), ("東", 2), ("🚲", 3), ("🚲é", 4)])
    func `generation 3 counts characters as JavaScript does`(text: String, length: Int) throws {
        let packet = EnginePacket(.message, text: text)
        let body = Array("\(length):4\(text)".utf8)
        #expect(EnginePayload.body(of: [packet], version: .three, allowsBinary: true) == (body, false))
        #expect(try EnginePayload.packets(in: body + body, version: .three) == [packet, packet])
    }

    @Test func `generation 3 has a binary body`() throws {
        let body: [UInt8] = [0, 6, 255] + Array("4hello".utf8) + [1, 5, 255, 4, 1, 2, 3, 4]
        #expect(EnginePayload.body(of: [hello, bytes], version: .three, allowsBinary: true) == (body, true))
        #expect(try EnginePayload.packets(in: body, version: .three) == [hello, bytes])
        let long = EnginePacket(.message, [UInt8](repeating: 7, count: 1000), isBinary: true)
        let longBody = EnginePayload.body(of: [long], version: .three, allowsBinary: true).bytes
        #expect(longBody.prefix(6) == [1, 1, 0, 0, 1, 255])
        #expect(try EnginePayload.packets(in: longBody, version: .three) == [long])
    }

    @Test(arguments: ["", "a", "9", "4a\u{1E}", "\u{1E}4a", "b!", "bA", "bAAAA=", "b=AAA"])
    func `generation 4 refuses what isn't packets`(body: String) {
        #expect(throws: EnginePayload.Fault.self) {
            try EnginePayload.packets(in: Array(body.utf8), version: .four)
        }
    }

    @Test(arguments: [
        "", "4hello", "9:4hello", ":4", "0:", "6:4hello1", "1234567890:4", "2:é", "3:9aa", "-1:4",
    ])
    func `generation 3 refuses what isn't packets`(body: String) {
        #expect(throws: EnginePayload.Fault.self) {
            try EnginePayload.packets(in: Array(body.utf8), version: .three)
        }
    }

    @Test(
        arguments: [
            [0], [0, 1], [0, 255], [0, 9, 255, 52], [1, 1, 255, 9], [0, 2, 255, 52, 255], [2, 1, 255, 52],
            [0, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 255],
        ] as [[UInt8]]
    )
    func `generation 3 refuses a binary body that isn't packets`(body: [UInt8]) {
        #expect(throws: EnginePayload.Fault.self) { try EnginePayload.packets(in: body, version: .three) }
    }

    @Test func `text that isn't UTF-8 is refused`() {
        #expect(throws: EnginePayload.Fault.self) {
            try EnginePayload.packets(in: [0x34, 0xFF], version: .four)
        }
        #expect(throws: EnginePayload.Fault.self) {
            try EnginePayload.packets(in: [0x32, 0x3A, 0x34, 0xFF], version: .three)
        }
    }

    @Test func `written packets are read back, in either generation and form`() throws {
        for seed in UInt64(0)..<300 {
            var random = SeededGenerator(seed: seed)
            let packets = (0..<Int.random(in: 1...5, using: &random)).map { _ in packet(using: &random) }
            let version: EngineVersion = Bool.random(using: &random) ? .three : .four
            let allowsBinary = Bool.random(using: &random)
            let body = EnginePayload.body(of: packets, version: version, allowsBinary: allowsBinary).bytes
            #expect(try EnginePayload.packets(in: body, version: version) == packets, "seed \(seed)")
        }
    }

    @Test func `random and mutated bodies never trap`() {
        for seed in UInt64(0)..<2_000 {
            var random = SeededGenerator(seed: seed)
            var body = Array("6:4hello10:b4AQIDBA==".utf8) + [0, 6, 255] + Array("4hello".utf8)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                body[Int.random(in: 0..<body.count, using: &random)] = UInt8.random(
                    in: 0...255,
                    using: &random
                )
            }
            body = Array(body.dropFirst(Int.random(in: 0...21, using: &random)))
            _ = try? EnginePayload.packets(in: body, version: .three)
            _ = try? EnginePayload.packets(in: body, version: .four)
        }
    }

    private func packet(using random: inout SeededGenerator) -> EnginePacket {
        let length = Int.random(in: 0...20, using: &random)
        guard Bool.random(using: &random) else {
            let text = (0..<length).map { _ in
                ["a", "é", "東", "🚲", ":", "1"].randomElement(using: &random) ?? ""
            }
            return EnginePacket(.message, text: text.joined())
        }
        let data = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
        return EnginePacket(.message, data, isBinary: true)
    }
}

@Suite struct Base64Tests {
    // RFC 4648, section 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func `the standard's examples`(bytes: String, text: String) {
        #expect(Base64.encode(Array(bytes.utf8)) == Array(text.utf8))
        #expect(Base64.decode(text.utf8) == Array(bytes.utf8))
        #expect(Base64.decode(text.filter { $0 != "=" }.utf8) == Array(bytes.utf8))
    }
}
