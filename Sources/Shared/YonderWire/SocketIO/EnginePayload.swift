/// Several packets in one HTTP body, for polling.
///
/// Generation 4 separates packets by the byte 1E. Generation 3 puts a length before each: in characters as
/// JavaScript counts them (UTF-16) if the body is text, in bytes if the body is binary. In a text body,
/// binary packets are in base64. JSONP, generation 3's substitute for CORS, isn't supported.
///
/// `EngineServer+Polling` reads the bodies of posts and writes answers to polls; `EngineConversation` of the client does the
/// opposite. A body that breaks the rules is a ``Fault``: the server refuses the post and ends the session, the client ends
/// the connection with a sentence. No bytes trap, and a length beyond the body is a fault before memory is taken. Both forms
/// must stay, because clients of other projects speak them (`EnginePayloadTests`, `test_engine_io.py`).
///
/// How a body is split and joined may change, and so may the way of counting characters, if the numbers stay.
package enum EnginePayload {
    /// The error for a body that doesn't consist of packets.
    package struct Fault: Error, Hashable, Sendable {}

    private static let separator: UInt8 = 0x1E
    private static let base64Mark = UInt8(ascii: "b")

    // MARK: Reading

    /// Reads a body, which must contain at least one packet.
    package static func packets(in body: [UInt8], version: EngineVersion) throws(Fault) -> [EnginePacket] {
        guard let first = body.first else { throw Fault() }
        if version == .three, first <= 1 { return try BinaryPayload.packets(in: body) }
        guard String(validating: body, as: UTF8.self) != nil else { throw Fault() }
        return try version == .four ? separated(body) : measured(body)
    }

    private static func separated(_ body: [UInt8]) throws(Fault) -> [EnginePacket] {
        var packets: [EnginePacket] = []
        for piece in body.split(separator: separator, omittingEmptySubsequences: false) {
            packets.append(try packet(piece, version: .four))
        }
        return packets
    }

    private static func measured(_ body: [UInt8]) throws(Fault) -> [EnginePacket] {
        var packets: [EnginePacket] = []
        var rest = body[...]
        while !rest.isEmpty {
            let length = try takeLength(from: &rest)
            packets.append(try packet(takeCharacters(length, from: &rest), version: .three))
        }
        return packets
    }

    private static func takeLength(from rest: inout ArraySlice<UInt8>) throws(Fault) -> Int {
        var length = 0
        var digits = 0
        while let digit = rest.popFirst() {
            if digit == UInt8(ascii: ":") {
                guard digits > 0 else { throw Fault() }
                return length
            }
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit), digits < 9 else { throw Fault() }
            length = length * 10 + Int(digit - UInt8(ascii: "0"))
            digits += 1
        }
        throw Fault()
    }

    private static func takeCharacters(
        _ count: Int,
        from rest: inout ArraySlice<UInt8>
    ) throws(Fault) -> ArraySlice<UInt8> {
        var left = count
        var end = rest.startIndex
        while left > 0 {
            guard end < rest.endIndex else { throw Fault() }
            let character = utf16Length(of: rest[end])
            left -= character.units
            end += character.bytes
        }
        guard left == 0, end <= rest.endIndex else { throw Fault() }
        defer { rest = rest[end...] }
        return rest[..<end]
    }

    /// The number of UTF-16 units and bytes of the character that begins with this byte.
    private static func utf16Length(of lead: UInt8) -> (units: Int, bytes: Int) {
        switch lead {
        case ..<0x80: (1, 1)
        case ..<0xE0: (1, 2)
        case ..<0xF0: (1, 3)
        default: (2, 4)
        }
    }

    private static func packet(_ text: ArraySlice<UInt8>, version: EngineVersion) throws(Fault)
        -> EnginePacket
    {
        guard text.first == base64Mark else {
            guard let packet = EnginePacket(text: text) else { throw Fault() }
            return packet
        }
        var kind = EnginePacket.Kind.message
        var encoded = text.dropFirst()
        if version == .three {
            guard let digit = encoded.popFirst(), let said = EnginePacket.Kind(digit: digit) else {
                throw Fault()
            }
            kind = said
        }
        guard let data = Base64.decode(encoded) else { throw Fault() }
        return EnginePacket(kind, data, isBinary: true)
    }

    // MARK: Writing

    /// Writes a body.
    ///
    /// - Parameters:
    ///   - packets: The packets.
    ///   - version: The protocol generation.
    ///   - allowsBinary: Whether the client accepts a binary body: generation 3 without `b64=1`.
    /// - Returns: The body, and whether it is binary.
    package static func body(
        of packets: [EnginePacket],
        version: EngineVersion,
        allowsBinary: Bool
    ) -> (bytes: [UInt8], isBinary: Bool) {
        switch version {
        case .four:
            return (
                Array(packets.map { text(of: $0, version: version) }.joined(separator: [separator])), false
            )
        case .three where allowsBinary && packets.contains(where: \.isBinary):
            return (BinaryPayload.body(of: packets), true)
        case .three:
            var body: [UInt8] = []
            for packet in packets {
                let text = text(of: packet, version: version)
                let length = text.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : utf16Length(of: $1).units) }
                body += Array("\(length):".utf8) + text
            }
            return (body, false)
        }
    }

    private static func text(of packet: EnginePacket, version: EngineVersion) -> [UInt8] {
        guard packet.isBinary else { return [packet.kind.digit] + packet.data }
        let mark = version == .four ? [base64Mark] : [base64Mark, packet.kind.digit]
        return mark + Base64.encode(packet.data)
    }
}

/// Generation 3's binary body.
///
/// Each packet consists of a byte 0 (text) or 1 (binary), the length's decimal digits as a byte each, the
/// byte FF, and the data; a binary packet's kind is a byte, not a digit.
private enum BinaryPayload {
    static func packets(in body: [UInt8]) throws(EnginePayload.Fault) -> [EnginePacket] {
        var packets: [EnginePacket] = []
        var rest = body[...]
        while let form = rest.popFirst() {
            guard form <= 1 else { throw EnginePayload.Fault() }
            let length = try takeLength(from: &rest)
            guard length > 0, length <= rest.count else { throw EnginePayload.Fault() }
            packets.append(try packet(rest.prefix(length), isBinary: form == 1))
            rest = rest.dropFirst(length)
        }
        return packets
    }

    private static func takeLength(from rest: inout ArraySlice<UInt8>) throws(EnginePayload.Fault) -> Int {
        var length = 0
        var digits = 0
        while let digit = rest.popFirst(), digits <= 9 {
            if digit == 0xFF { return length }
            guard digit <= 9 else { break }
            length = length * 10 + Int(digit)
            digits += 1
        }
        throw EnginePayload.Fault()
    }

    private static func packet(
        _ bytes: ArraySlice<UInt8>,
        isBinary: Bool
    ) throws(EnginePayload.Fault) -> EnginePacket {
        let isText = isBinary || String(validating: bytes, as: UTF8.self) != nil
        let packet =
            isBinary ? EnginePacket(binary: Array(bytes), version: .three) : EnginePacket(text: bytes)
        guard isText, let packet else { throw EnginePayload.Fault() }
        return packet
    }

    static func body(of packets: [EnginePacket]) -> [UInt8] {
        var body: [UInt8] = []
        for packet in packets {
            let bytes = packet.webSocketMessage(version: .three)
            body.append(packet.isBinary ? 1 : 0)
            body += String(bytes.count).utf8.map { $0 - UInt8(ascii: "0") }
            body.append(0xFF)
            body += bytes
        }
        return body
    }
}
