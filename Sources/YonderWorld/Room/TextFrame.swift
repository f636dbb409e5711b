package import NIOCore

/// An unmasked, unfragmented WebSocket text frame (RFC 6455, section 5.2), as a server sends it.
///
///     0x81 | length < 126                                 | payload
///     0x81 | 126 | length in 2 bytes, most significant first | payload
///     0x81 | 127 | length in 8 bytes, most significant first | payload
package enum TextFrame {
    /// Appends the header of a frame whose payload has `length` bytes.
    @inline(__always)
    package static func writeHeader(_ length: Int, into buffer: inout ByteBuffer) {
        switch length {
        case ..<126: buffer.writeMultipleIntegers(UInt8(0x81), UInt8(truncatingIfNeeded: length))
        case ..<65_536:
            buffer.writeMultipleIntegers(UInt8(0x81), UInt8(126), UInt16(truncatingIfNeeded: length))
        default: buffer.writeMultipleIntegers(UInt8(0x81), UInt8(127), UInt64(length))
        }
    }

    /// Appends a frame of two pieces: what a topic's frames have in common, and what a message's have.
    @inline(__always)
    package static func write(_ head: [UInt8], _ tail: [UInt8], into buffer: inout ByteBuffer) {
        writeHeader(head.count + tail.count, into: &buffer)
        buffer.writeBytes(head)
        buffer.writeBytes(tail)
    }

    /// Appends a frame.
    package static func write(_ payload: [UInt8], into buffer: inout ByteBuffer) {
        writeHeader(payload.count, into: &buffer)
        buffer.writeBytes(payload)
    }

    /// A frame by itself.
    package static func buffer(_ payload: [UInt8]) -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: payload.count + 10)
        write(payload, into: &buffer)
        return buffer
    }
}
