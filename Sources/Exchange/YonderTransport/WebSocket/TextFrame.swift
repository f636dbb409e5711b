package import NIOCore

/// A text frame as a server sends it, written behind others in one buffer.
///
/// The bytes must be UTF-8. The form is RFC 6455's, of a server: without a mask.
package enum TextFrame {
    /// Appends a frame of two pieces: what a topic's frames have in common, and what a message's have.
    @inline(__always)
    package static func write(_ head: [UInt8], _ tail: [UInt8], into buffer: inout ByteBuffer) {
        FrameHeader.write(.text, length: head.count + tail.count, into: &buffer)
        buffer.writeBytes(head)
        buffer.writeBytes(tail)
    }

    /// Appends a frame.
    package static func write(_ payload: [UInt8], into buffer: inout ByteBuffer) {
        FrameHeader.write(.text, length: payload.count, into: &buffer)
        buffer.writeBytes(payload)
    }

    /// A frame by itself.
    package static func buffer(_ payload: [UInt8]) -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: payload.count + 10)
        write(payload, into: &buffer)
        return buffer
    }

    /// Reads the payload of the first frame, which must be complete; `nil` at the end.
    static func read(from buffer: inout ByteBuffer) -> ByteBuffer? {
        guard let head = buffer.readMultipleIntegers(as: (UInt8, UInt8).self) else { return nil }
        switch head.1 {
        case 126: return buffer.readInteger(as: UInt16.self).flatMap { buffer.readSlice(length: Int($0)) }
        case 127: return buffer.readInteger(as: UInt64.self).flatMap { buffer.readSlice(length: Int($0)) }
        default: return buffer.readSlice(length: Int(head.1))
        }
    }
}
