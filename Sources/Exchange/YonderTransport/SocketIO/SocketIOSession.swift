import NIOCore
import YonderWire

/// A client of a Socket.IO server, with the namespaces it has entered, over one Engine.IO session.
///
/// Belongs to the session's event loop. An invalid packet ends the session.
///
/// `SocketIOServer` makes one as the delegate of an `EngineConnection`, which passes it each message; it enters and leaves
/// namespaces, and passes events to the namespace's handler with their acknowledgement. An unknown namespace is refused and
/// doesn't end the session; a client that enters none in time is closed. The packets' form is in `YonderWire`, what the
/// events mean in the handlers (`test_socket_io.py`).
///
/// The packets' form must stay, for clients of both generations; the time to enter a namespace is a setting.
final class SocketIOSession: WebSocketDelegate {
    private struct Member {
        let socket: SocketIOSocket
        let handler: any SocketIOHandler
    }

    private let connection: EngineConnection
    private let namespaces: [String: SocketIONamespace]
    private var members: [String: Member] = [:]

    /// One object of each namespace, by the namespace's name, kept until the session ends.
    private var keepsakes: [String: AnyObject] = [:]
    private var assembler: SocketPacketAssembler
    private var connectTimer: Scheduled<Void>?

    init(
        _ connection: EngineConnection,
        server: SocketIOServer.Settings,
        namespaces: [String: SocketIONamespace]
    ) {
        self.connection = connection
        self.namespaces = namespaces
        assembler = SocketPacketAssembler(byteLimit: server.engine.maxPayload)
        connectTimer = connection.eventLoop.assumeIsolated().scheduleTask(in: server.connectTimeout) {
            if self.members.isEmpty { connection.close() }
        }
        // A client of revision 4 expects to be in the main namespace without entering it.
        if connection.version == .three { connect(SocketPacket(.connect)) }
    }

    // MARK: Receiving

    func received(text: ByteBuffer) {
        receive { assembler throws(SocketPacket.Fault) in
            let result: Result<SocketPacket?, SocketPacket.Fault> = text.withUnsafeReadableBytes { bytes in
                do throws(SocketPacket.Fault) {
                    return .success(try assembler.receive(text: bytes))
                } catch {
                    return .failure(error)
                }
            }
            return try result.get()
        }
    }

    func received(binary: ByteBuffer) {
        receive { assembler throws(SocketPacket.Fault) in
            try assembler.receive(attachment: Array(binary.readableBytesView))
        }
    }

    func writabilityChanged(isWritable: Bool) {
        for member in members.values { member.handler.writabilityChanged(isWritable: isWritable) }
    }

    func closed() {
        connectTimer?.cancel()
        let members = members
        self.members.removeAll()
        for member in members.values { member.handler.disconnected() }
    }

    private func receive(
        _ read: (inout SocketPacketAssembler) throws(SocketPacket.Fault) -> SocketPacket?
    ) {
        do throws(SocketPacket.Fault) {
            if let packet = try read(&assembler) { try handle(packet) }
        } catch {
            connection.close()
        }
    }

    private func handle(_ packet: SocketPacket) throws(SocketPacket.Fault) {
        switch packet.kind {
        case .connect:
            connect(packet)
        case .disconnect:
            members.removeValue(forKey: packet.namespace)?.handler.disconnected()
        case .event, .binaryEvent:
            let event = try packet.event()
            guard let member = members[packet.namespace] else { return }
            member.handler.received(
                SocketIOEvent(
                    event: event,
                    attachments: packet.attachments,
                    id: packet.id,
                    socket: member.socket
                )
            )
        case .acknowledgement, .binaryAcknowledgement, .connectError:
            // The server requests no acknowledgements, and a client has nothing to refuse.
            break
        }
    }

    // MARK: Namespaces

    private func connect(_ packet: SocketPacket) {
        guard members[packet.namespace] == nil else { return }
        guard let namespace = namespaces[packet.namespace] else {
            return refuse(SocketIORefusal("Invalid namespace"), packet.namespace)
        }
        let socket = SocketIOSocket(
            id: Self.randomID(),
            namespace: packet.namespace,
            connection: connection,
            session: self
        )
        switch namespace(socket, packet.json) {
        case .failure(let refusal): refuse(refusal, packet.namespace)
        case .success(let handler): enter(Member(socket: socket, handler: handler))
        }
    }

    /// Returns the object of a namespace, and makes it the first time.
    func kept<Value: AnyObject>(in namespace: String, _ make: () -> Value) -> Value {
        if let known = keepsakes[namespace] as? Value { return known }
        let value = make()
        keepsakes[namespace] = value
        return value
    }

    private func enter(_ member: Member) {
        connectTimer?.cancel()
        connectTimer = nil
        members[member.socket.namespace] = member
        let json = connection.version == .four ? Array(#"{"sid":"\#(member.socket.id)"}"#.utf8) : []
        member.socket.send(SocketPacket(.connect, namespace: member.socket.namespace, json: json))
        member.handler.connected()
    }

    private func refuse(_ refusal: SocketIORefusal, _ namespace: String) {
        connection.send(text: SocketPacket(refusing: namespace, message: refusal.message).text)
        connection.flush()
    }

    func disconnect(_ socket: SocketIOSocket) {
        guard let member = members[socket.namespace], member.socket === socket else { return }
        members[socket.namespace] = nil
        socket.send(SocketPacket(.disconnect, namespace: socket.namespace))
        member.handler.disconnected()
    }

    private static func randomID() -> String {
        var generator = SystemRandomNumberGenerator()
        return String(generator.next(), radix: 36) + String(generator.next(), radix: 36)
    }
}
