import Metrics
import NIOCore
package import YonderHub
import YonderModel
package import YonderTransport
import YonderWire
import YonderJSON
import YonderWorld

/// The world as Socket.IO's namespace `/`: receives `location`; sends `join`, `update` and `disappear`.
///
/// A refusal, such as a packet that is too large or no position, is the event's acknowledgement, and the client stays; the packet counts
/// for the connection's rate. A client that
/// polls is sent with each poll what changed since the last, and one whose outbox is full what it missed, once it can receive: of
/// several moves of a pin the last. Names and forms of the events are those of old clients and must stay
/// (`Documentation/socket-io.md`).
package enum WorldNamespace {
    /// Creates the namespace of an exchange's world.
    ///
    /// - Parameters:
    ///   - exchange: The exchange.
    ///   - packetLimit: The most bytes of an event's arguments.
    /// - Returns: The namespace.
    package static func namespace(of exchange: Exchange, packetLimit: Int) -> SocketIONamespace {
        { socket, _ in
            guard let world = exchange.loop(on: socket.eventLoop)?.world else {
                return .failure(SocketIORefusal("The server isn't ready."))
            }
            let visitor = WorldVisitor(socket, world: world, packetLimit: packetLimit)
            do throws(SharingError) {
                try visitor.enter()
                return .success(visitor)
            } catch {
                return .failure(SocketIORefusal(error.message))
            }
        }
    }
}

/// A Socket.IO client in the world.
///
/// Belongs to its event loop.
final class WorldVisitor: SocketIOHandler, WorldListener {
    private let socket: SocketIOSocket
    private let world: WorldRoom
    private let packetLimit: Int
    private var member: WorldMember?

    /// See ``WorldListener/worldAllowance``.
    let worldAllowance: WorldAllowance

    /// The frames queued until the client has been informed that it is in the namespace.
    private var early: [ByteBuffer]? = []

    init(_ socket: SocketIOSocket, world: WorldRoom, packetLimit: Int) {
        self.socket = socket
        self.world = world
        self.packetLimit = packetLimit
        worldAllowance = socket.kept { WorldAllowance() }
    }

    func enter() throws(SharingError) {
        member = try world.enter(self, isMember: false, holder: socket.network)
    }

    // MARK: From the client

    func connected() {
        for frames in early ?? [] { socket.write(frames) }
        early = nil
        socket.flush()
    }

    func received(_ event: SocketIOEvent) {
        do throws(SharingError) {
            try handle(event.event)
            event.acknowledge(Array("{}".utf8))
        } catch {
            Counter(label: "yonder_world_refusals_total", dimensions: [("code", error.code.rawValue)])
                .increment()
            if event.wantsAcknowledgement { event.acknowledge(Self.json(of: error)) }
        }
    }

    func writabilityChanged(isWritable: Bool) {
        if isWritable, let member { world.refresh(member) }
    }

    func disconnected() {
        if let member { world.leave(member) }
        member = nil
    }

    private func handle(_ event: SocketEvent) throws(SharingError) {
        let position: WorldPosition
        do throws(SharingError) {
            position = try read(event)
        } catch {
            try world.countRefusal(of: self)
            throw error
        }
        if let member { try world.move(member, to: position) }
    }

    private func read(_ event: SocketEvent) throws(SharingError) -> WorldPosition {
        guard event.joinedArguments.count <= packetLimit else {
            throw SharingError(.tooLarge, "A packet to the world must have at most \(packetLimit) bytes.")
        }
        guard event.name.is("location") else {
            throw SharingError(.invalidField, "The event must be location.")
        }
        guard event.arguments.count == 1, let position = Self.position(in: event.joinedArguments) else {
            throw SharingError(.invalidField, "location must be one string, LATITUDE,LONGITUDE, in degrees.")
        }
        return position
    }

    /// The position in a JSON string.
    private static func position(in argument: ArraySlice<UInt8>) -> WorldPosition? {
        // A position needs no escapes, so a string with an escape isn't a position.
        guard argument.count > 2, argument.first == UInt8(ascii: "\"") else { return nil }
        let text = argument.dropFirst().dropLast()
        return text.withUnsafeBytes { WorldPosition($0) }
    }

    private static func json(of error: SharingError) -> [UInt8] {
        var json = JSONWriter()
        json.raw(#"{"error":{"code":"#)
        json.string(error.code.rawValue)
        json.raw(#","message":"#)
        json.string(error.message)
        json.raw("}}")
        return json.bytes
    }

    // MARK: From the world

    var worldForm: WorldForm { .socketIO }

    var isWritable: Bool { socket.isWritable }

    var receivesRounds: Bool { !socket.isPolling }

    func endWorld() {
        socket.closeConnection()
    }

    func deliver(_ delivery: WorldDelivery) {
        guard case .frames(let frames) = delivery else { return }
        if early == nil { socket.write(frames) } else { early?.append(frames) }
    }

    func flush() {
        if early == nil { socket.flush() }
    }
}
