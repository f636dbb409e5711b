import NIOCore
import TestSupport
import Testing

@testable import YonderTransport

/// The cases of the Autobahn suite that matter, by their numbers there, against the value alone.
@Suite struct MessageAssemblerTests {
    @Test(arguments: [0, 1, 125, 126, 127, 128, 65535, 65536])
    func `Autobahn 1.1: text of any length arrives whole`(length: Int) throws {
        let text = [UInt8](repeating: UInt8(ascii: "*"), count: length)
        #expect(try events(frame(.text, text)) == [.text(ByteBuffer(bytes: text))])
    }

    @Test(arguments: [0, 125, 126, 127, 128, 65535, 65536])
    func `Autobahn 1.2: binary of any length arrives whole`(length: Int) throws {
        let bytes = [UInt8](repeating: 0xFE, count: length)
        #expect(try events(frame(.binary, bytes)) == [.binary(ByteBuffer(bytes: bytes))])
    }

    @Test func `Autobahn 1.1.8: text chopped into single bytes arrives whole`() throws {
        let text = [UInt8]("Grüße aus Köln".utf8)
        #expect(try events(frame(.text, text), chop: 1) == [.text(ByteBuffer(bytes: text))])
    }

    @Test func `Autobahn 2.4: a ping of 125 bytes is taken`() throws {
        let payload = [UInt8](repeating: 0xFE, count: 125)
        #expect(try events(frame(.ping, payload), chop: 1) == [.ping(ByteBuffer(bytes: payload))])
    }

    @Test func `Autobahn 2.5: a ping of 126 bytes is refused`() {
        #expect(code(of: frame(.ping, [UInt8](repeating: 0, count: 126))) == 1002)
    }

    @Test(arguments: [UInt8(0x10), 0x20, 0x30, 0x40, 0x50, 0x60, 0x70])
    func `Autobahn 3.1 to 3.7: a reserved bit is refused`(bits: UInt8) {
        var bytes = frame(.text, Array("Hello".utf8))
        bytes[0] |= bits
        #expect(code(of: bytes) == 1002)
    }

    @Test(arguments: [UInt8(3), 4, 5, 6, 7, 11, 12, 13, 14, 15])
    func `Autobahn 4.1 and 4.2: a reserved opcode is refused`(opcode: UInt8) {
        #expect(code(of: [0x80 | opcode, 0x80, 0, 0, 0, 0]) == 1002)
    }

    @Test func `Autobahn 5.1 and 5.2: a fragmented ping or pong is refused`() {
        #expect(code(of: frame(.ping, [1], isFinal: false)) == 1002)
        #expect(code(of: frame(.pong, [1], isFinal: false)) == 1002)
    }

    @Test(arguments: [1, 2, 1000])
    func `Autobahn 5.3 to 5.5: fragmented text arrives whole`(chop: Int) throws {
        let bytes =
            frame(.text, Array("frag".utf8), isFinal: false) + frame(.continuation, Array("ment".utf8))
        #expect(try events(bytes, chop: chop) == [.text(ByteBuffer(string: "fragment"))])
    }

    @Test(arguments: [1, 1000])
    func `Autobahn 5.6: a ping between two fragments comes before the text`(chop: Int) throws {
        let bytes =
            frame(.text, Array("frag".utf8), isFinal: false) + frame(.ping, Array("!".utf8))
            + frame(.continuation, Array("ment".utf8))
        let expected: [MessageAssembler.Event] = [
            .ping(ByteBuffer(string: "!")), .text(ByteBuffer(string: "fragment")),
        ]
        #expect(try events(bytes, chop: chop) == expected)
    }

    @Test func `Autobahn 5.9 to 5.14: a continuation of nothing is refused`() {
        #expect(code(of: frame(.continuation, [1])) == 1002)
        #expect(code(of: frame(.continuation, [1], isFinal: false)) == 1002)
    }

    @Test func `Autobahn 5.15: a continuation after the message's end is refused`() {
        let bytes =
            frame(.text, Array("a".utf8), isFinal: false) + frame(.continuation, Array("b".utf8))
            + frame(.continuation, Array("c".utf8))
        #expect(code(of: bytes) == 1002)
    }

    @Test func `Autobahn 5.18: a second text frame within a message is refused`() {
        let bytes = frame(.text, Array("a".utf8), isFinal: false) + frame(.text, Array("b".utf8))
        #expect(code(of: bytes) == 1002)
    }

    @Test func `Autobahn 5.19: fragments with pings between them arrive in order`() throws {
        let bytes =
            frame(.text, Array("1".utf8), isFinal: false)
            + frame(.continuation, Array("2".utf8), isFinal: false)
            + frame(.ping, []) + frame(.continuation, Array("3".utf8), isFinal: false)
            + frame(.continuation, Array("4".utf8), isFinal: false) + frame(.ping, [])
            + frame(.continuation, Array("5".utf8))
        let ping = MessageAssembler.Event.ping(ByteBuffer())
        #expect(try events(bytes, chop: 3) == [ping, ping, .text(ByteBuffer(string: "12345"))])
    }

    @Test func `Autobahn 6.1: empty fragments make empty text`() throws {
        let bytes =
            frame(.text, [], isFinal: false) + frame(.continuation, [], isFinal: false)
            + frame(.continuation, [])
        #expect(try events(bytes) == [.text(ByteBuffer())])
    }

    @Test func `Autobahn 6.2.4: characters may be cut by fragments`() throws {
        let text = Array("κόσμε".utf8)
        var bytes = frame(.text, [], isFinal: false)
        for byte in text { bytes += frame(.continuation, [byte], isFinal: false) }
        bytes += frame(.continuation, [])
        #expect(try events(bytes) == [.text(ByteBuffer(bytes: text))])
    }

    @Test func `Autobahn 6.4.1: text is refused at the fragment that makes it wrong`() {
        var bytes = frame(.text, Array("κόσμε".utf8), isFinal: false)
        bytes += frame(.continuation, [0xF4, 0x90, 0x80, 0x80], isFinal: false)
        #expect(code(of: bytes) == 1007)
    }

    @Test func `Autobahn 6.4.4: text is refused at the byte that makes it wrong, before its frame ends`() {
        let whole = frame(.text, Array("κόσμε".utf8) + [0xF4, 0x90] + Array("edited".utf8))
        #expect(code(of: Array(whole.prefix(6 + 11)), chop: 1) == nil)
        #expect(code(of: Array(whole.prefix(6 + 11 + 2)), chop: 1) == 1007)
    }

    @Test(
        arguments: [
            [0xCE], [0xE2, 0x82], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80],
            [0xF0, 0x80, 0x80, 0xAF],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80], [0xFF],
            [0xF8, 0x88, 0x80, 0x80, 0x80],
        ] as [[UInt8]]
    )
    func `Autobahn 6.6 to 6.21: text that isn't UTF-8 is refused`(text: [UInt8]) {
        #expect(code(of: frame(.text, Array("1234567 ".utf8) + text)) == 1007)
    }

    @Test func `UTF-8 is judged as the standard library judges it, however it is cut`() {
        var random = SeededGenerator(seed: 7)
        let interesting: [UInt8] = [
            0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4,
        ]
        for _ in 0..<5_000 {
            let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                interesting.randomElement(using: &random) ?? 0x41
            }
            let expected = String(validating: bytes, as: UTF8.self) == nil ? UInt16(1007) : nil
            let chop = Int.random(in: 1...10, using: &random)
            #expect(code(of: frame(.text, bytes), chop: chop) == expected, "\(bytes)")
        }
    }

    @Test func `Autobahn 7.3: a close without a body, with a code, and with a reason`() throws {
        #expect(try events(frame(.close, [])) == [.close(code: nil)])
        #expect(try events(frame(.close, [0x03, 0xE8])) == [.close(code: 1000)])
        #expect(try events(frame(.close, [0x03, 0xE8] + Array("Bye".utf8))) == [.close(code: 1000)])
        #expect(code(of: frame(.close, [0x03])) == 1002)
        #expect(code(of: frame(.close, [UInt8](repeating: 0x2A, count: 126))) == 1002)
    }

    @Test func `Autobahn 7.5.1: a close reason that isn't UTF-8 is refused`() {
        #expect(code(of: frame(.close, [0x03, 0xE8, 0xCE, 0xBA, 0xED, 0xA0, 0x80])) == 1007)
    }

    @Test(
        arguments: [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999] as [UInt16]
    )
    func `Autobahn 7.7: a close code that may travel is taken`(code: UInt16) throws {
        #expect(try events(frame(.close, [UInt8(code >> 8), UInt8(code & 0xFF)])) == [.close(code: code)])
    }

    @Test(arguments: [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535] as [UInt16])
    func `Autobahn 7.9 and 7.13: a close code that may not travel is refused`(close: UInt16) {
        #expect(code(of: frame(.close, [UInt8(close >> 8), UInt8(close & 0xFF)])) == 1002)
    }

    @Test func `a frame that isn't masked is refused`() {
        #expect(code(of: [0x81, 0x01, 0x41]) == 1002)
    }

    @Test func `a length that isn't in its shortest form is refused`() {
        #expect(code(of: [0x81, 0xFE, 0x00, 0x05, 0, 0, 0, 0]) == 1002)
        #expect(code(of: [0x81, 0xFF, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0, 0, 0]) == 1002)
        #expect(code(of: [0x81, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]) == 1002)
    }

    @Test func `a message over the limit is refused by its header alone`() {
        #expect(
            code(of: Array(frame(.text, [UInt8](repeating: 0x41, count: 101)).prefix(6)), limit: 100) == 1009
        )
        let fragments =
            frame(.text, [UInt8](repeating: 0x41, count: 60), isFinal: false)
            + frame(.continuation, [UInt8](repeating: 0x41, count: 41)).prefix(6)
        #expect(code(of: fragments, limit: 100) == 1009)
        #expect(code(of: frame(.text, [UInt8](repeating: 0x41, count: 100)), limit: 100) == nil)
    }

    @Test func `random bytes never trap`() {
        for seed in UInt64(0)..<300 {
            var random = SeededGenerator(seed: seed)
            var bytes = (0..<5).flatMap { _ in
                frame(
                    [.text, .binary, .continuation, .ping].randomElement(using: &random) ?? .text,
                    [1, 2, 3]
                )
            }
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                    in: 0...255,
                    using: &random
                )
            }
            _ = code(of: bytes, chop: Int.random(in: 1...20, using: &random), limit: 1000)
        }
    }

    // MARK: Making frames

    private func frame(_ opcode: FrameHeader.Opcode, _ payload: [UInt8], isFinal: Bool = true) -> [UInt8] {
        let key: [UInt8] = [0x11, 0xA2, 0x73, 0x04]
        var bytes: [UInt8] = [(isFinal ? 0x80 : 0) | opcode.rawValue]
        switch payload.count {
        case ...125: bytes.append(0x80 | UInt8(payload.count))
        case ...65535: bytes += [0xFE, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default:
            bytes.append(0xFF)
            bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: payload.count >> ($0 * 8)) }
        }
        return bytes + key + payload.enumerated().map { $1 ^ key[$0 & 3] }
    }

    /// What `bytes` say when they come in pieces of `chop`, put together as the connection does.
    private func events(
        _ bytes: [UInt8],
        chop: Int = .max,
        limit: Int = 1 << 20
    ) throws -> [MessageAssembler.Event] {
        var assembler = MessageAssembler(maxMessageSize: limit)
        var events: [MessageAssembler.Event] = []
        var pending = ByteBuffer()
        var rest = bytes[...]
        while !rest.isEmpty {
            pending.writeBytes(rest.prefix(chop))
            rest = rest.dropFirst(chop)
            while let event = try assembler.next(in: &pending) { events.append(event) }
            #expect(pending.readableBytes <= 131)
        }
        return events
    }

    private func code(of bytes: [UInt8], chop: Int = .max, limit: Int = 1 << 20) -> UInt16? {
        do {
            _ = try events(bytes, chop: chop, limit: limit)
            return nil
        } catch {
            return (error as? WebSocketViolation)?.code
        }
    }
}
