package import YonderWire

/// What a trace has of one packet: never its content, nor the key of its session.
///
/// `EngineConnection` makes one for each packet where `--log-world` is on; `WorldServer` logs it. Nothing fails. That
/// neither content nor the key of a session is in it must stay: the key lets its reader take over the session
/// (`SocketIOServerTests`).
package struct PacketTrace: Hashable, Sendable {
    /// The direction of a packet, as the server sees it.
    package enum Way: String, Hashable, Sendable {
        case received, sent
    }

    /// The number of the session, by the order in which the server opened its sessions.
    package let session: Int

    /// Whether the server received the packet or queued it to be sent.
    package let way: Way

    /// The packet's kind.
    package let kind: EnginePacket.Kind

    /// The kind of the Socket.IO packet in a message of text; `nil` for other packets, and for attachments.
    package let socketKind: SocketPacket.Kind?

    /// The size of the content behind the packet's kind.
    package let bytes: Int

    init(session: Int, _ way: Way, _ kind: EnginePacket.Kind, _ data: some Collection<UInt8>, isBinary: Bool)
    {
        self.session = session
        self.way = way
        self.kind = kind
        bytes = data.count
        let isText = kind == .message && !isBinary
        socketKind = isText ? data.first.flatMap(SocketPacket.Kind.init(digit:)) : nil
    }
}
