package import NIOCore
import YonderWire

/// Assembles a client's messages from received bytes (RFC 6455).
///
/// Text is checked as it arrives, so an invalid byte ends the connection before its frame ends. Memory holds
/// at most one message up to the limit, and is allocated only for bytes that have arrived, not for the length
/// in a header. After a violation the assembler can't be used any more.
///
/// `WebSocketConnection` has one for each connection, calls ``next(in:)`` until it returns `nil`, and closes with the
/// violation's code. No bytes trap. Which bytes are refused is RFC 6455's, and must stay; `MessageAssemblerTests` has
/// the cases of Autobahn, also chopped into single bytes. The most bytes of a message are a setting.
package struct MessageAssembler: Sendable {
    /// An event from the client.
    package enum Event: Hashable, Sendable {
        /// A whole message of well-formed UTF-8.
        case text(ByteBuffer)
        case binary(ByteBuffer)
        case ping(ByteBuffer)
        case pong(ByteBuffer)
        /// The client closes the connection; `nil` if it gave no code.
        case close(code: UInt16?)
    }

    /// A message that has arrived in part.
    private struct Message {
        let isText: Bool
        var payload: ByteBuffer
        var text = UTF8Validator()
    }

    /// A data frame whose header has been read.
    private struct OpenFrame {
        let isFinal: Bool
        var missing: Int
        var mask: Mask
    }

    private let maxMessageSize: Int
    private var message: Message?
    private var frame: OpenFrame?

    /// - Parameter maxMessageSize: The most bytes of a message, without the frames' headers.
    package init(maxMessageSize: Int) {
        self.maxMessageSize = maxMessageSize
    }

    /// Reads the next event from the beginning of `bytes`.
    ///
    /// - Returns: `nil` if more bytes are needed; `bytes` then has at most an incomplete header or control
    ///   frame, which must be put before the next bytes.
    package mutating func next(in bytes: inout ByteBuffer) throws(WebSocketViolation) -> Event? {
        while true {
            if frame != nil {
                guard bytes.readableBytes > 0 || frame?.missing == 0 else { return nil }
                if let event = try continueFrame(with: &bytes) { return event }
                if frame != nil { return nil }
            }
            guard let header = try FrameHeader.peek(at: bytes) else { return nil }
            if header.opcode.isControl { return try control(header, in: &bytes) }
            try begin(header)
            bytes.moveReaderIndex(forwardBy: header.size)
        }
    }

    private mutating func begin(_ header: FrameHeader) throws(WebSocketViolation) {
        switch (header.opcode, message) {
        case (.continuation, nil):
            throw .protocolError("A continuation frame came without a message to continue.")
        case (.continuation, .some): break
        case (_, .some): throw .protocolError("The message before isn't finished.")
        case (let opcode, nil): message = Message(isText: opcode == .text, payload: ByteBuffer())
        }
        let size = message?.payload.readableBytes ?? 0
        guard header.length <= maxMessageSize - size else { throw .messageTooBig }
        frame = OpenFrame(isFinal: header.isFinal, missing: header.length, mask: header.mask)
    }

    /// Reads the part of the frame's payload that is in `bytes`.
    ///
    /// - Returns: The message, if this completed it.
    private mutating func continueFrame(with bytes: inout ByteBuffer) throws(WebSocketViolation) -> Event? {
        guard var frame, var message else { return nil }
        let count = min(frame.missing, bytes.readableBytes)
        let isValid = bytes.withUnsafeMutableReadableBytes { readable in
            let piece = UnsafeMutableRawBufferPointer(rebasing: readable.prefix(count))
            frame.mask.remove(from: piece)
            return !message.isText || message.text.accepts(UnsafeRawBufferPointer(piece))
        }
        guard isValid else { throw .invalidText }
        frame.missing -= count
        self.message = nil
        message.payload.append(from: &bytes, count: count, isLast: frame.isFinal && frame.missing == 0)

        guard frame.missing == 0 else {
            (self.frame, self.message) = (frame, message)
            return nil
        }
        self.frame = nil
        guard frame.isFinal else {
            self.message = message
            return nil
        }
        guard message.text.isAtBoundary else { throw .invalidText }
        return message.isText ? .text(message.payload) : .binary(message.payload)
    }

    private func control(
        _ header: FrameHeader,
        in bytes: inout ByteBuffer
    ) throws(WebSocketViolation) -> Event? {
        guard bytes.readableBytes >= header.size + header.length else { return nil }
        bytes.moveReaderIndex(forwardBy: header.size)
        var mask = header.mask
        guard var payload = bytes.readSlice(length: header.length) else { return nil }
        payload.withUnsafeMutableReadableBytes { mask.remove(from: $0) }
        switch header.opcode {
        case .ping: return .ping(payload)
        case .pong: return .pong(payload)
        default: return try close(payload)
        }
    }

    private func close(_ payload: ByteBuffer) throws(WebSocketViolation) -> Event {
        guard payload.readableBytes > 0 else { return .close(code: nil) }
        var reason = payload
        guard let code: UInt16 = reason.readInteger(), WebSocketCloseCode.isSendable(code) else {
            throw .protocolError("The close code is wrong.")
        }
        var text = UTF8Validator()
        let isText = reason.withUnsafeReadableBytes { text.accepts($0) }
        guard isText, text.isAtBoundary else { throw .invalidText }
        return .close(code: code)
    }
}

extension ByteBuffer {
    /// Moves bytes from the beginning of another buffer; shares its memory if no other bytes follow.
    fileprivate mutating func append(from source: inout ByteBuffer, count: Int, isLast: Bool) {
        guard var piece = source.readSlice(length: count) else { return }
        if isLast, readableBytes == 0 {
            self = piece
        } else {
            writeBuffer(&piece)
        }
    }
}
