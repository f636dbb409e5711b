package import NIOCore

/// A text frame as a server sends it, written behind others in one buffer.
///
/// Topics, the world and replies write frames into a round's buffer with it. Nothing fails; the bytes must be UTF-8. The
/// form is RFC 6455's, of a server: without a mask (`OutboundFrameTests`).
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
}
