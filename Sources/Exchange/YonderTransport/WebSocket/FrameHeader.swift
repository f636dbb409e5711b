import NIOCore

/// The first bytes of a frame that came from a client (RFC 6455, section 5.2).
///
///      0               1               2 …
///     +-+-+-+-+-------+-+-------------+----------------+-----------+
///     |F|R|R|R| opcode|M| length      | 2 or 8 bytes of| mask key, |
///     |I|S|S|S|       |A| or 126, 127 | length         | 4 bytes   |
///     |N|V|V|V|       |S|             |                |           |
///     +-+-+-+-+-------+-+-------------+----------------+-----------+
///
/// `MessageAssembler` reads one before each frame of a client, a stranger's bytes: nothing traps, a header that has come
/// in part is `nil`, and one that RFC 6455 forbids throws a `WebSocketViolation`. `FrameHeader+Writing.swift` writes a
/// server's. Bits, lengths and masking are the RFC's and must stay (`MessageAssemblerTests`).
struct FrameHeader {
    enum Opcode: UInt8 {
        case continuation = 0x0
        case text = 0x1
        case binary = 0x2
        case close = 0x8
        case ping = 0x9
        case pong = 0xA

        var isControl: Bool { rawValue & 0x8 != 0 }
    }

    let isFinal: Bool
    let opcode: Opcode
    let length: Int
    let mask: Mask

    /// The size of the header itself, in bytes.
    let size: Int

    /// Reads the header at the beginning of `buffer`, which stays unchanged.
    ///
    /// - Returns: `nil` if more bytes are needed.
    static func peek(at buffer: ByteBuffer) throws(WebSocketViolation) -> FrameHeader? {
        let start = buffer.readerIndex
        guard let first: UInt8 = buffer.getInteger(at: start) else { return nil }
        guard first & 0x70 == 0 else { throw .protocolError("A reserved bit is set.") }
        guard let opcode = Opcode(rawValue: first & 0x0F) else { throw .protocolError("Unknown opcode.") }
        let isFinal = first & 0x80 != 0

        guard let second: UInt8 = buffer.getInteger(at: start + 1) else { return nil }
        guard second & 0x80 != 0 else { throw .protocolError("The frame isn't masked.") }
        let short = second & 0x7F
        guard !opcode.isControl || (isFinal && short <= 125) else {
            throw .protocolError("A control frame is fragmented or too long.")
        }
        guard let (length, extra) = try longLength(short, in: buffer, at: start + 2),
            let key: UInt32 = buffer.getInteger(at: start + 2 + extra)
        else { return nil }
        return FrameHeader(
            isFinal: isFinal,
            opcode: opcode,
            length: length,
            mask: Mask(key: key),
            size: 6 + extra
        )
    }

    /// The payload's length, and the number of bytes that the length takes after the header's second byte.
    private static func longLength(
        _ short: UInt8,
        in buffer: ByteBuffer,
        at index: Int
    ) throws(WebSocketViolation) -> (length: Int, extra: Int)? {
        switch short {
        case 126:
            guard let length: UInt16 = buffer.getInteger(at: index) else { return nil }
            guard length > 125 else { throw .protocolError("The length isn't in its shortest form.") }
            return (Int(length), 2)
        case 127:
            guard let length: UInt64 = buffer.getInteger(at: index) else { return nil }
            guard length > 0xFFFF, let length = Int(exactly: length) else {
                throw .protocolError("The length is malformed.")
            }
            return (length, 8)
        default:
            return (Int(short), 0)
        }
    }
}

/// The key with which a client masks its payload by exclusive or.
struct Mask {
    /// The key's four bytes, repeated to fill a word and rotated to the next byte of the payload.
    private var word: UInt64

    init(key: UInt32) {
        let key = UInt64(key.bigEndian)
        word = UInt64(littleEndian: key | key << 32)
    }

    /// Unmasks `bytes`, which continue where the last call ended.
    mutating func remove(from bytes: UnsafeMutableRawBufferPointer) {
        var index = 0
        while index + 8 <= bytes.count {
            let masked = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            bytes.storeBytes(of: masked ^ word, toByteOffset: index, as: UInt64.self)
            index += 8
        }
        let rest = bytes.count - index
        for offset in 0..<rest {
            bytes[index + offset] ^= UInt8(truncatingIfNeeded: word.littleEndian >> (8 * UInt64(offset)))
        }
        rotate(by: rest)
    }

    private mutating func rotate(by bytes: Int) {
        let bits = UInt64(bytes & 3) * 8
        guard bits > 0 else { return }
        let turned = word.littleEndian
        word = UInt64(littleEndian: turned >> bits | turned << (64 - bits))
    }
}
