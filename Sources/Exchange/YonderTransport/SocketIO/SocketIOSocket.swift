package import NIOCore
package import YonderWire

/// The reason why a client isn't admitted to a namespace.
package struct SocketIORefusal: Error, Hashable, Sendable {
    /// A message for the client's log.
    package let message: String

    package init(_ message: String) {
        self.message = message
    }
}

/// Receives a client's events in a namespace.
///
/// Every method is called on the session's event loop.
package protocol SocketIOHandler: AnyObject {
    /// The client has been informed that it is in the namespace; from now on it can receive events.
    func connected()

    /// The client sent an event.
    func received(_ event: SocketIOEvent)

    /// The client can receive more again, or can't.
    func writabilityChanged(isWritable: Bool)

    /// The client left the namespace or disconnected; no other method is called afterward.
    func disconnected()
}

/// Admits a client to a namespace, given the data it sent on connecting (a JSON object, or nothing), or
/// refuses it.
package typealias SocketIONamespace =
    @Sendable (_ socket: SocketIOSocket, _ handshake: [UInt8]) -> Result<any SocketIOHandler, SocketIORefusal>

/// An event from a client, with its acknowledgement.
package struct SocketIOEvent {
    package let event: SocketEvent

    /// The binary attachments for which the arguments have placeholders.
    package let attachments: [[UInt8]]

    let id: UInt64?
    let socket: SocketIOSocket

    /// Whether the client requested an acknowledgement.
    package var wantsAcknowledgement: Bool { id != nil }

    /// Acknowledges the event, if the client requested it.
    ///
    /// - Parameters:
    ///   - arguments: JSON values, joined with commas; may be empty.
    ///   - attachments: The binary attachments for which the arguments have placeholders.
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
///
/// `SocketIOSession` makes one when a namespace admits the client, and calls the handler; a handler emits, writes and
/// flushes. Nothing throws: after the client has left, what is emitted is dropped. An outbox that is full is the
/// handler's affair, by ``isWritable``. The packets' form is Socket.IO's, which other people's clients speak
/// (`Documentation/socket-io.md`, `SocketIOServerTests`).
package final class SocketIOSocket {
    /// The client's public id; not the key of its session.
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

    /// Whether the client can receive more; one that polls can while a poll waits.
    package var isWritable: Bool { connection.isWritable }

    /// Whether the client polls.
    package var isPolling: Bool { connection.isPolling }

    /// The network of the client.
    package var network: String { connection.network }

    /// Ends the client's connection.
    package func closeConnection() {
        connection.close()
    }

    /// Sends an event.
    ///
    /// - Parameters:
    ///   - name: The event's name, which must need no escapes in JSON.
    ///   - arguments: JSON values, joined with commas; may be empty.
    ///   - attachments: The binary attachments for which the arguments have placeholders.
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

    /// Queues complete WebSocket text frames, one packet of this namespace each; the buffer may be shared
    /// with other clients.
    @inline(__always)
    package func write(_ frames: ByteBuffer) {
        connection.write(frames)
    }

    /// Sends the queued packets.
    @inline(__always)
    package func flush() {
        connection.flush()
    }

    /// Returns the namespace's object of this connection, which stays when the client leaves the namespace and enters it
    /// again.
    ///
    /// - Parameter make: Makes the object, the first time.
    /// - Returns: The object that was made the first time.
    package func kept<Value: AnyObject>(_ make: () -> Value) -> Value {
        session?.kept(in: namespace, make) ?? make()
    }

    /// Removes the client from the namespace.
    package func disconnect() {
        session?.disconnect(self)
    }

    func send(_ packet: SocketPacket) {
        connection.send(text: packet.text)
        for attachment in packet.attachments { connection.send(binary: attachment) }
        connection.flush()
    }
}
