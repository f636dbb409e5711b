import YonderGeodesy
import YonderLocation
import YonderTracks

/// What a receiver tells of its own accord, in sentences; it can't be asked.
struct NMEAConversation: ReceiverConversation {
    /// After how many bytes without a sentence it counts as something else.
    static let unreadable = 4096

    /// Whether a silent connection is made anew: over a network it may be dead without anybody noticing.
    let hangsUpWhenSilent: Bool

    private var reader = NMEAReader()
    private var isWithoutFix = false
    private var isUnderstood = false
    private var isSilent = false
    private var hasHeard = false

    /// How many bytes came since the connection was made or the failure told, while nothing is understood.
    private var notUnderstood = 0

    init(hangsUpWhenSilent: Bool) {
        self.hangsUpWhenSilent = hangsUpWhenSilent
    }

    var farewell: String? { nil }

    mutating func open(at time: Timestamp) -> [ConversationEvent] {
        self = NMEAConversation(hangsUpWhenSilent: hangsUpWhenSilent)
        // Old receivers are wrong by 1024 weeks and more; the day is the present one or near it.
        reader = NMEAReader(reference: time, correctsWeekRollover: true)
        return [.permitted]
    }

    mutating func read(_ bytes: Span<UInt8>, at time: Timestamp) -> [ConversationEvent] {
        var epochs: [NMEAEpoch] = []
        reader.read(bytes) { epochs.append($0) }
        var events = understand(bytes.count)
        for epoch in epochs { take(epoch, at: time, into: &events) }
        return events
    }

    mutating func end(at time: Timestamp) -> [ConversationEvent] {
        var events: [ConversationEvent] = []
        if let epoch = reader.finish() { take(epoch, at: time, into: &events) }
        return events
    }

    mutating func tick() -> [ConversationEvent] {
        defer { hasHeard = false }
        guard !hasHeard else { return [] }
        if hangsUpWhenSilent {
            return [.hangUp(LocationError(.sourceLost, "The receiver is silent; connecting again."))]
        }
        defer { isSilent = true }
        return isSilent ? [] : [.failure(LocationError(.positionUnavailable, "The receiver is silent."))]
    }

    private mutating func understand(_ count: Int) -> [ConversationEvent] {
        guard !isUnderstood else {
            hasHeard = true
            return []
        }
        if reader.counts.sentences + reader.counts.skipped > 0 {
            (isUnderstood, hasHeard, isSilent) = (true, true, false)
            return [.found]
        }
        notUnderstood += count
        guard notUnderstood >= Self.unreadable else { return [] }
        notUnderstood = 0
        let reason = "What comes isn't NMEA; is the line's speed right?"
        return [.failure(LocationError(.sourceUnreadable, reason))]
    }

    private mutating func take(_ epoch: NMEAEpoch, at time: Timestamp, into events: inout [ConversationEvent])
    {
        isSilent = false
        if let position = epoch.position ?? epoch.position(at: time) {
            isWithoutFix = false
            events.append(position)
        } else if !isWithoutFix {
            isWithoutFix = true
            events.append(.positions([]))
        }
    }
}

extension NMEAEpoch {
    /// The place at another time, for receivers that know where they are but not when.
    fileprivate func position(at time: Timestamp) -> Position? {
        coordinate.map {
            Position(
                coordinate: $0,
                timestamp: time,
                magneticHeading: magneticHeading,
                trueHeading: trueHeading
            )
        }
    }
}
