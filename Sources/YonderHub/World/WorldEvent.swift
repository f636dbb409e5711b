package import NIOCore

/// Something that happened in the world.
package enum WorldEvent: Hashable, Sendable {
    /// Somebody came; they have not moved yet.
    case joined(WorldID)
    /// Somebody is there; the position as they wrote it.
    case moved(WorldID, at: [UInt8])
    /// Somebody went.
    case left(WorldID)

    /// Whom it is about.
    package var member: WorldID {
        switch self {
        case .joined(let id), .moved(let id, _), .left(let id): id
        }
    }
}

/// How somebody in the world is spoken to.
package enum WorldForm: Hashable, Sendable {
    /// The stream's frames, with this topic.
    case stream
    /// Socket.IO's packets as WebSocket text frames; both generations write these the same.
    case socketIO
    /// The events themselves, for who takes them one by one (polling).
    case events
}

/// What a round brought to the world, encoded once in each form that anybody wants.
package enum WorldDelivery {
    /// Finished WebSocket frames.
    case frames(ByteBuffer)
    /// The events, oldest first.
    case events([WorldEvent])
}

/// Somebody who is shown the world, on their own event loop.
package protocol WorldListener: AnyObject {
    /// How they are spoken to.
    var worldForm: WorldForm { get }

    /// Whether they take more now; who doesn't is shown everything afresh once ``WorldRoom/refresh(_:)`` is called.
    var isWritable: Bool { get }

    /// Queues what happened; sends nothing yet.
    func deliver(_ delivery: WorldDelivery)

    /// Sends what is queued: once a round.
    func flush()
}
