import NIOCore
import YonderTransport

/// The frames for one session alone that its transport doesn't have yet.
///
/// `Session` has one: replies of a round are written as one buffer. It is a plain value, and nothing fails. At the limit
/// the session writes at once. Frames must leave in the order in which they were appended, before those of topics that
/// came later (`ReplyBufferTests`).
struct ReplyBuffer {
    private var frames = ByteBuffer()

    /// How many bytes are gathered before they are passed to the transport.
    private static let limit = 65_536

    /// Whether it has no frame.
    @inline(__always)
    var isEmpty: Bool { frames.readableBytes == 0 }

    /// Appends a frame.
    ///
    /// - Returns: Whether to pass the frames on now, so that the transport knows how much is unsent before the round ends.
    mutating func append(_ frame: [UInt8]) -> Bool {
        TextFrame.write(frame, into: &frames)
        return frames.readableBytes >= Self.limit
    }

    /// Removes and returns the frames, in order.
    mutating func take() -> ByteBuffer {
        defer { frames = ByteBuffer() }
        return frames
    }
}
