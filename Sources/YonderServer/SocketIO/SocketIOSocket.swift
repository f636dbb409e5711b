package import NIOCore
package import YonderWire

/// Why a client isn't let into a namespace.
package struct SocketIORefusal: Error, Hashable, Sendable {
    /// A sentence for whoever reads the client's log.
    package let message: String

    package init(_ message: String) {
        self.message = message
    }
}

/// Who a client's events in a namespace go to.
///
/// Every call comes on the session's event loop.
package protocol SocketIOHandler: AnyObject {
    /// The client has been told that it is in; now it may be sent events.
    func connected()

    /// The client sent an event.
    func received(_ event: SocketIOEvent)

    /// The client takes more again, or has taken too little.
    func writabilityChanged(isWritable: Bool)

    /// The client left the namespace, or is gone; nothing follows.
    func disconnected()
}

/// Lets a client into a namespace with what it said on connecting (a JSON object, or nothing), or not.
package typealias SocketIONamespace =
    @Sendable (_ socket: SocketIOSocket, _ handshake: [UInt8]) -> Result<any SocketIOHandler, SocketIORefusal>

/// An event from a client, and the way to acknowledge it.
package struct SocketIOEvent {
    package let event: SocketEvent

    /// The bytes that the arguments have places for.
    package let attachments: [[UInt8]]

    let id: UInt64?
    let socket: SocketIOSocket

    /// Whether the client asked for an acknowledgement.
    package var wantsAcknowledgement: Bool { id != nil }

    /// Acknowledges the event, if the client asked for that.
    ///
    /// - Parameters:
    ///   - arguments: JSON values, joined with commas; may be empty.
    ///   - attachments: The bytes that the arguments have places for.
    package func acknowledge(
        _ arguments: some Collection<UInt8> = [],
        attachments: [[UInt8]] = []
    ) {
        guard let id else { return }
        let kind: SocketPacket.Kind = attachments.isEmpty ? .acknowledgement : .binaryAcknowledgement
        let json = [UInt8(ascii: "[")] + arguments + [UInt8(ascii: "]")]
        socket.send(
            SocketPacket(kind, namespace: socket.namespace, id: id, json: json, attachments: attachments)
        )
    }
}

/// A client in a namespace.
///
/// Belongs to its session's event loop.
package final class SocketIOSocket {
    /// How the client knows itself here; not the key to its session.
    package let id: String
    package let namespace: String
    private let connection: EngineConnection
    private weak var session: SocketIOSession?

    init(id: String, namespace: String, connection: EngineConnection, session: SocketIOSession) {
        self.id = id
        self.namespace = namespace
        self.connection = connection
        self.session = session
    }

    package var eventLoop: any EventLoop { connection.eventLoop }

    /// Whether the client takes what it is sent.
    package var isWritable: Bool { connection.isWritable }

    /// Sends an event.
    ///
    /// - Parameters:
    ///   - name: The event's name, which needs no escapes in JSON.
    ///   - arguments: JSON values, joined with commas; may be empty.
    ///   - attachments: The bytes that the arguments have places for.
    package func emit(
        _ name: String,
        _ arguments: some Collection<UInt8> = [],
        attachments: [[UInt8]] = []
    ) {
        var json = Array("[\"\(name)\"".utf8)
        if !arguments.isEmpty { json.append(UInt8(ascii: ",")) }
        json += arguments
        json.append(UInt8(ascii: "]"))
        let kind: SocketPacket.Kind = attachments.isEmpty ? .event : .binaryEvent
        send(SocketPacket(kind, namespace: namespace, json: json, attachments: attachments))
    }

    /// Queues finished WebSocket text frames, each a packet of this namespace, which others may share.
    @inline(__always)
    package func write(_ frames: ByteBuffer) {
        connection.write(frames)
    }

    /// Sends what is queued.
    @inline(__always)
    package func flush() {
        connection.flush()
    }

    /// Puts the client out of the namespace.
    package func disconnect() {
        session?.disconnect(self)
    }

    func send(_ packet: SocketPacket) {
        connection.send(text: packet.text)
        for attachment in packet.attachments { connection.send(binary: attachment) }
        connection.flush()
    }
}
