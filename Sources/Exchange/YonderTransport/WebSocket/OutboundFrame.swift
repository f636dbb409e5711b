package import NIOCore

/// Encodes complete frames, including the header, which can be shared by all receivers (RFC 6455, section
/// 5.2).
///
/// A server's frames are not masked, and this server's are never fragmented.
///
/// Sessions, rooms and Engine.IO make frames with it, on any thread, and share the bytes. Nothing fails; UTF-8 is the
/// caller's duty, as clients close at anything else. The form is RFC 6455's (`OutboundFrameTests`).
package enum OutboundFrame {
    /// A text frame; the payload must be UTF-8.
    package static func text(_ payload: ByteBuffer) -> ByteBuffer {
        frame(.text, payload)
    }

    /// A text frame; the payload must be UTF-8.
    package static func text(_ payload: [UInt8]) -> ByteBuffer {
        frame(.text, ByteBuffer(bytes: payload))
    }

    package static func binary(_ payload: ByteBuffer) -> ByteBuffer {
        frame(.binary, payload)
    }

    package static func ping(_ payload: ByteBuffer = ByteBuffer()) -> ByteBuffer {
        frame(.ping, payload)
    }

    package static func pong(_ payload: ByteBuffer) -> ByteBuffer {
        frame(.pong, payload)
    }

    /// A close frame; a reason that is too long is cut at a character.
    package static func close(code: UInt16?, reason: String = "") -> ByteBuffer {
        guard let code else { return frame(.close, ByteBuffer()) }
        var payload = ByteBuffer(integer: code)
        for character in reason where payload.readableBytes + character.utf8.count <= 125 {
            payload.writeString(String(character))
        }
        return frame(.close, payload)
    }

    private static func frame(_ opcode: FrameHeader.Opcode, _ payload: ByteBuffer) -> ByteBuffer {
        var frame = ByteBuffer()
        frame.reserveCapacity(minimumWritableBytes: payload.readableBytes + 10)
        FrameHeader.write(opcode, length: payload.readableBytes, into: &frame)
        frame.writeImmutableBuffer(payload)
        return frame
    }
}
