package import NIOCore
import YonderWire

/// The settings for an Engine.IO server and its sessions.
///
/// The times go to clients in the handshake, so clients of both generations follow a change. A payload must stay below what old
/// clients take.
package struct EngineSettings: Sendable {
    /// The server's path, without a slash at the end.
    package var path = "/socket.io"

    /// The time from one heartbeat to the next.
    package var pingInterval: Duration = .seconds(25)

    /// How late a heartbeat may be before the session ends.
    package var pingTimeout: Duration = .seconds(20)

    /// The most bytes that a client may send at once: a WebSocket message, or a request's body.
    package var maxPayload = 64 * 1024

    /// The most bytes of memory queued for a client that polls; a session that exceeds it ends.
    package var holdLimit = 1024 * 1024

    /// The number of queued bytes above which a client that polls counts as not writable.
    package var holdMark = 64 * 1024

    /// The most bytes of memory that all sessions take whose clients neither poll nor have a WebSocket.
    ///
    /// One address may have a quarter. At the limit the oldest sessions of the address with the most are closed.
    package var unpolledLimit = 32 * 1024 * 1024

    /// The most sessions of one address whose clients neither poll nor have a WebSocket.
    package var unpolledPerAddress = 1_500

    /// The memory for which a session counts without what waits for its client, in bytes: twice what one of 2 000 took.
    package var sessionBytes = 4_096

    /// How many packets of any kind a client may send at once; a session with more is closed.
    package var packetBurst = 1_200

    /// How many packets of any kind a client may send in a second, beyond ``packetBurst``.
    package var packetsPerSecond = 200

    /// The proxies whose headers name the client for which a session counts.
    package var proxies = TrustedProxies.none

    /// The time allowed for an upgrade from polling to a WebSocket.
    package var upgradeTimeout: TimeAmount = .seconds(10)

    /// The most sessions at once.
    package var sessionLimit = 100_000

    /// Called with each packet, on its session's event loop; `nil` for no trace, which then costs nothing.
    package var trace: (@Sendable (PacketTrace) -> Void)?

    package init() {}

    /// The limits of sessions that nobody polls; such a session has as long as a heartbeat may take.
    var unpolled: UnpolledSessions.Limits {
        UnpolledSessions.Limits(
            timeout: pingInterval + pingTimeout,
            sessionBytes: sessionBytes,
            bytes: unpolledLimit,
            bytesPerAddress: unpolledLimit / 4,
            sessionsPerAddress: unpolledPerAddress
        )
    }

    /// The first packet of a session, which opens it.
    func greeting(of session: String, canUpgrade: Bool) -> EnginePacket {
        let handshake = EngineHandshake(
            session: session,
            canUpgrade: canUpgrade,
            pingInterval: pingInterval,
            pingTimeout: pingTimeout,
            maxPayload: maxPayload
        )
        return EnginePacket(.open, handshake.json)
    }
}
