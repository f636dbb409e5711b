import NIOCore

// Writes the header of a server's frame, without a mask, in the shortest form that RFC 6455 allows, which clients
// demand. `OutboundFrame` and `TextFrame` call it (`OutboundFrameTests`).

extension FrameHeader {
    /// Appends the header of an unmasked, unfragmented frame (RFC 6455, section 5.2), as a server sends it.
    ///
    ///     0x80 + opcode | length < 126                                   | payload
    ///     0x80 + opcode | 126 | length in 2 bytes, most significant first | payload
    ///     0x80 + opcode | 127 | length in 8 bytes, most significant first | payload
    @inline(__always)
    static func write(_ opcode: Opcode, length: Int, into buffer: inout ByteBuffer) {
        let first = 0x80 | opcode.rawValue
        switch length {
        case ..<126: buffer.writeMultipleIntegers(first, UInt8(truncatingIfNeeded: length))
        case ..<65_536: buffer.writeMultipleIntegers(first, UInt8(126), UInt16(truncatingIfNeeded: length))
        default: buffer.writeMultipleIntegers(first, UInt8(127), UInt64(length))
        }
    }
}
