/// The two generations of Engine.IO that are in use, by the number in a request's `EIO`.
package enum EngineVersion: Int, Hashable, Sendable {
    /// The generation of Socket.IO 1 and 2: the client pings.
    case three = 3

    /// The generation of Socket.IO 3 and later: the server pings.
    case four = 4
}

/// An Engine.IO packet: a kind, and text or bytes.
///
/// `EngineConnection` of the server and `EngineConversation` of the client send and receive packets; bodies with several are
/// in `EnginePayload`. A text without a known digit gives `nil`, which ends the session. Numbers and forms are Engine.IO's,
/// and must stay (`EngineSessionTests`, `EnginePayloadTests`, `test_engine_io.py`).
package struct EnginePacket: Hashable, Sendable {
    /// The kinds of packet; on the wire this value as a digit, or as a byte in generation 3's binary form.
    package enum Kind: UInt8, Hashable, Sendable {
        case open = 0
        case close = 1
        case ping = 2
        case pong = 3
        case message = 4
        case upgrade = 5
        case noop = 6

        /// The digit that begins a packet of text.
        package var digit: UInt8 { UInt8(ascii: "0") + rawValue }

        /// Reads the digit that begins a packet of text.
        package init?(digit: UInt8) {
            guard digit >= UInt8(ascii: "0") else { return nil }
            self.init(rawValue: digit - UInt8(ascii: "0"))
        }
    }

    package let kind: Kind

    /// The content: UTF-8, or any bytes if ``isBinary``.
    package let data: [UInt8]
    package let isBinary: Bool

    package init(_ kind: Kind, _ data: [UInt8] = [], isBinary: Bool = false) {
        self.kind = kind
        self.data = data
        self.isBinary = isBinary
    }

    /// Creates a packet of text.
    package init(_ kind: Kind, text: String) {
        self.init(kind, Array(text.utf8))
    }

    /// The memory that the packet takes in a queue, in bytes: its content, and 128 for what the content's array, its place in a
    /// queue that grows by doubling, and the allocator's rounding take.
    package var memory: Int { data.count + 128 }

    // MARK: As a WebSocket message

    /// Reads a text message of a WebSocket; the text must be UTF-8.
    package init?(text: some Collection<UInt8>) {
        guard let digit = text.first, let kind = Kind(digit: digit) else { return nil }
        self.init(kind, Array(text.dropFirst()))
    }

    /// Reads a binary message of a WebSocket: in generation 4 the bytes are the message, in 3 they follow its
    /// kind.
    package init?(binary: [UInt8], version: EngineVersion) {
        switch version {
        case .four:
            self.init(.message, binary, isBinary: true)
        case .three:
            guard let first = binary.first, let kind = Kind(rawValue: first) else { return nil }
            self.init(kind, Array(binary.dropFirst()), isBinary: true)
        }
    }

    /// The bytes of a WebSocket message; binary if ``isBinary``, else text.
    package func webSocketMessage(version: EngineVersion) -> [UInt8] {
        guard isBinary else { return [kind.digit] + data }
        return version == .four ? data : [kind.rawValue] + data
    }
}
