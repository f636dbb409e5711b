import NIOCore

/// An operation of a client, but for messages, which ``NATSOutbox`` writes.
///
/// `NATSSession` makes commands, `NATSClient` writes them to the channel in their order. Nothing fails: subjects were
/// checked when they were made, so none can hold a line's end. The forms are NATS's (`NATSCommandTests`).
enum NATSCommand: Hashable, Sendable {
    case connect(NATSGreeting)
    case subscribe(NATSSubject, id: UInt64)
    case unsubscribe(id: UInt64)
    case ping
    case pong
}

extension ByteBuffer {
    /// Writes a command as the server reads it.
    mutating func write(_ command: NATSCommand) {
        switch command {
        case .connect(let greeting):
            writeStaticString("CONNECT ")
            writeBytes(greeting.json)
        case .subscribe(let subject, let id): writeString("SUB \(subject.text) \(id)")
        case .unsubscribe(let id): writeString("UNSUB \(id)")
        case .ping: writeStaticString("PING")
        case .pong: writeStaticString("PONG")
        }
        writeStaticString("\r\n")
    }

    /// Writes a message as the server reads it.
    mutating func writeMessage(_ subject: NATSSubject, _ payload: ByteBuffer) {
        writeStaticString("PUB ")
        writeString(subject.text)
        writeStaticString(" ")
        writeString(String(payload.readableBytes))
        writeStaticString("\r\n")
        writeImmutableBuffer(payload)
        writeStaticString("\r\n")
    }
}
