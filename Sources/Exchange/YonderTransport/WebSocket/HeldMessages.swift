import NIOCore

/// The messages of one WebSocket that are parsed and not delivered, oldest first.
///
/// Each counts as it lies in memory, so that thousands of short messages reach the limit as a few long ones do.
struct HeldMessages {
    /// A queued message or close frame.
    enum Message {
        case text(ByteBuffer)
        case binary(ByteBuffer)
        case close(UInt16?)

        /// The memory that the message takes, in bytes: its storage, the storage's own object, and a place in a queue of which half
        /// may be empty.
        fileprivate var memory: Int {
            switch self {
            case .text(let bytes), .binary(let bytes): bytes.storageCapacity + 192
            case .close: 96
            }
        }
    }

    /// The number of bytes of memory from which no further message is parsed.
    static let limit = 131_072

    private var messages = CircularBuffer<Message>()

    /// The memory of all messages, in bytes.
    private(set) var memory = 0

    var isEmpty: Bool { messages.isEmpty }

    /// Whether no further message may be parsed.
    var isFull: Bool { memory >= Self.limit }

    mutating func append(_ message: Message) {
        messages.append(message)
        memory += message.memory
    }

    mutating func popFirst() -> Message? {
        guard let message = messages.popFirst() else { return nil }
        memory -= message.memory
        return message
    }

    mutating func removeAll() {
        self = HeldMessages()
    }
}
