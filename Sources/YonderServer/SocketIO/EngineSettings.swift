package import NIOCore

/// How an Engine.IO server treats its sessions.
package struct EngineSettings: Sendable {
    /// Where it is, without a slash at the end.
    package var path = "/socket.io"

    /// The time from one heartbeat to the next.
    package var pingInterval: Duration = .seconds(25)

    /// How late a heartbeat may be before the session ends.
    package var pingTimeout: Duration = .seconds(20)

    /// The most bytes that a client may send at once: a WebSocket message, or a request's body.
    package var maxPayload = 64 * 1024

    /// The most bytes that wait for a client that polls; beyond that its session ends.
    package var holdLimit = 1024 * 1024

    /// How many bytes may wait for a client that polls until it counts as not writable.
    package var holdMark = 64 * 1024

    /// How long a client may take to change from polling to a WebSocket.
    package var upgradeTimeout: TimeAmount = .seconds(10)

    /// How many sessions there may be at once.
    package var sessionLimit = 100_000

    package init() {}
}

extension Duration {
    /// The same time, in whole milliseconds.
    var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
