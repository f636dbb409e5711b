import NIOCore
import Synchronization

/// Whether a peer is alive, checked once an interval.
struct Liveness {
    enum Action: Equatable {
        case wait
        case ping
        case close
    }

    private var wasHeard = true
    private var wasPinged = false

    mutating func heard() {
        wasHeard = true
    }

    /// Pings a peer that was silent since the last check, and closes it if it is still silent at the next.
    mutating func look() -> Action {
        if wasHeard {
            (wasHeard, wasPinged) = (false, false)
            return .wait
        }
        if wasPinged { return .close }
        wasPinged = true
        return .ping
    }
}

/// Checks each WebSocket of one event loop once an interval, so that none needs a timer of its own.
///
/// The connections are distributed over slots that are visited one after another, so that a thousand pings
/// are spread over the interval. Belongs to its event loop.
///
/// `WebSocketConnection` adds itself when it opens and removes itself when it ends; a peer that is silent for two
/// intervals is closed. `ClientConnections` has the ``Heartbeats`` of a server. Nothing fails. That a ping is answered
/// by any client is RFC 6455's; the interval is a setting, promised in `Documentation/stream.md`, and 32 slots may
/// be changed (`OutboundFrameTests`).
final class Heartbeat {
    private static let slotCount = 32

    private let eventLoop: any EventLoop
    private let pause: TimeAmount
    private let webSockets: OpenWebSockets
    private var slots = [[ObjectIdentifier: WebSocketConnection]](repeating: [:], count: slotCount)
    private var hand = 0
    private var nextSlot = 0
    private var count = 0
    private var isTicking = false

    init(eventLoop: any EventLoop, interval: TimeAmount, webSockets: OpenWebSockets) {
        self.eventLoop = eventLoop
        self.webSockets = webSockets
        pause = .nanoseconds(max(1, interval.nanoseconds / Int64(Self.slotCount)))
    }

    func add(_ connection: WebSocketConnection) {
        nextSlot = (nextSlot + 1) % Self.slotCount
        connection.heartbeatSlot = nextSlot
        slots[nextSlot][ObjectIdentifier(connection)] = connection
        count += 1
        webSockets.opened()
        tick()
    }

    func remove(_ connection: WebSocketConnection) {
        let slot = connection.heartbeatSlot
        guard slots[slot].removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        count -= 1
        webSockets.closed()
    }

    private func tick() {
        guard !isTicking, count > 0 else { return }
        isTicking = true
        eventLoop.assumeIsolated().scheduleTask(in: pause) {
            self.isTicking = false
            self.hand = (self.hand + 1) % Self.slotCount
            for connection in self.slots[self.hand].values { connection.look() }
            self.tick()
        }
    }
}

/// The heartbeats of a server's event loops, each created with the loop's first WebSocket.
final class Heartbeats: Sendable {
    private let interval: TimeAmount
    private let webSockets: OpenWebSockets
    private let byLoop = Mutex<[ObjectIdentifier: NIOLoopBound<Heartbeat>]>([:])

    init(interval: TimeAmount, webSockets: OpenWebSockets) {
        self.interval = interval
        self.webSockets = webSockets
    }

    /// The heartbeat of the given event loop, on which this must be called.
    func heartbeat(of eventLoop: any EventLoop) -> Heartbeat {
        let bound = byLoop.withLock { known in
            if let heartbeat = known[ObjectIdentifier(eventLoop)] { return heartbeat }
            let made = NIOLoopBound(
                Heartbeat(eventLoop: eventLoop, interval: interval, webSockets: webSockets),
                eventLoop: eventLoop
            )
            known[ObjectIdentifier(eventLoop)] = made
            return made
        }
        return bound.value
    }
}
