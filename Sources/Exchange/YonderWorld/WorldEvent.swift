package import NIOCore

/// An event in the world.
///
/// `WorldRoom` makes events of what its members do and of other nodes' news; sessions and Socket.IO clients are its
/// listeners. They are plain values. A listener that is slow gets nothing until it can receive. A further event needs both
/// encodings of `WorldEncoding`, and the bytes of `WorldNews` (decision 33, `WorldRoomTests`).
package enum WorldEvent: Hashable, Sendable {
    /// A member joined, and has no position yet.
    case joined(WorldID)
    /// A member moved; the position is in the member's own spelling.
    case moved(WorldID, at: [UInt8])
    /// A member left.
    case left(WorldID)

    /// The member concerned.
    package var member: WorldID {
        switch self {
        case .joined(let id), .moved(let id, _), .left(let id): id
        }
    }
}

/// The encoding in which a member of the world receives events.
package enum WorldForm: Hashable, Sendable {
    /// The stream's frames, with this topic.
    case stream
    /// Socket.IO packets as WebSocket text frames; identical in both protocol generations.
    case socketIO
    /// The events themselves, for a listener that encodes them one by one (polling).
    case events
}

/// The world's events of one round, encoded once in each form that a listener uses.
package enum WorldDelivery {
    /// Complete WebSocket frames.
    case frames(ByteBuffer)
    /// The events, oldest first.
    case events([WorldEvent])
}

/// A connection that receives the world's events, on its own event loop.
package protocol WorldListener: AnyObject {
    /// The encoding that the connection receives.
    var worldForm: WorldForm { get }

    /// The connection's rate limit in the world, which stays when the client leaves the world and enters it again.
    var worldAllowance: WorldAllowance { get }

    /// Whether the connection can receive now. One that can't gets what it missed once ``WorldRoom/refresh(_:)`` is called.
    var isWritable: Bool { get }

    /// Whether the connection is sent each round while it can receive. One that polls fetches what changed instead.
    var receivesRounds: Bool { get }

    /// Ends the connection, which is too far behind to be brought up to date.
    func endWorld()

    /// Queues a delivery; sends nothing yet.
    func deliver(_ delivery: WorldDelivery)

    /// Sends the queued deliveries; called once a round.
    func flush()
}

extension WorldListener {
    package var receivesRounds: Bool { true }

    package func endWorld() {}
}
