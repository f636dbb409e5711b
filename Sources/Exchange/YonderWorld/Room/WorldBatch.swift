import NIOCore

/// A round's events, encoded at most once in each form.
///
/// `WorldRoom` makes one for each round on its event loop and delivers it to each member. Nothing fails. A member that
/// is slow gets no events but, later, the pins as they are then. Each form is encoded once for all members, whose buffer
/// they share: that must stay, or a round costs by members times events (`WorldRoomTests`; decision 33).
struct WorldBatch {
    /// Concatenated frames, and the offset at which each ends.
    private struct Encoded {
        var frames: ByteBuffer
        var ends: [Int]
    }

    private let events: [WorldEvent]
    private let topic: Int64
    private var stream: Encoded?
    private var socketIO: Encoded?

    init(events: [WorldEvent], topic: Int64) {
        self.events = events
        self.topic = topic
    }

    /// Queues the events that a member hasn't received and didn't cause.
    @inline(__always)
    mutating func deliver(to member: WorldMember) {
        switch member.listener.worldForm {
        case .events: deliverEvents(to: member)
        case .stream: deliver(streamFrames(), to: member)
        case .socketIO: deliver(socketIOFrames(), to: member)
        }
    }

    private func deliver(_ encoded: Encoded, to member: WorldMember) {
        guard member.firstEvent > 0 || !member.ownEvents.isEmpty else {
            return member.listener.deliver(.frames(encoded.frames))
        }
        var next = member.firstEvent
        for own in member.ownEvents where own >= next {
            deliver(encoded, next..<own, to: member)
            next = own + 1
        }
        deliver(encoded, next..<events.count, to: member)
    }

    private func deliver(_ encoded: Encoded, _ range: Range<Int>, to member: WorldMember) {
        guard !range.isEmpty else { return }
        let start = range.lowerBound == 0 ? 0 : encoded.ends[range.lowerBound - 1]
        let length = encoded.ends[range.upperBound - 1] - start
        guard let slice = encoded.frames.getSlice(at: start, length: length) else { return }
        member.listener.deliver(.frames(slice))
    }

    private func deliverEvents(to member: WorldMember) {
        let own = Set(member.ownEvents)
        let shown = events.indices.dropFirst(member.firstEvent).filter { !own.contains($0) }.map {
            events[$0]
        }
        if !shown.isEmpty { member.listener.deliver(.events(shown)) }
    }

    private mutating func streamFrames() -> Encoded {
        if let stream { return stream }
        let encoded = encode { [topic] event, buffer in
            WorldEncoding.writeStream(event, topic: topic, into: &buffer)
        }
        stream = encoded
        return encoded
    }

    private mutating func socketIOFrames() -> Encoded {
        if let socketIO { return socketIO }
        let encoded = encode { event, buffer in WorldEncoding.writeSocketIO(event, into: &buffer) }
        socketIO = encoded
        return encoded
    }

    private func encode(_ write: (WorldEvent, inout ByteBuffer) -> Void) -> Encoded {
        var encoded = Encoded(frames: ByteBufferAllocator().buffer(capacity: events.count * 80), ends: [])
        encoded.ends.reserveCapacity(events.count)
        for event in events {
            write(event, &encoded.frames)
            encoded.ends.append(encoded.frames.writerIndex)
        }
        return encoded
    }
}
