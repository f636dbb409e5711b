import YonderGeodesy
import YonderLocation
import YonderTracks

/// The protocol of a receiver that sends NMEA sentences on its own, without requests.
///
/// `ReceiverSession` has one for an `NMEASource`: it calls ``open(at:)`` for each connection, ``read(_:at:)`` for each piece,
/// ``tick()`` after each silence and ``end(at:)`` at the end. Nothing throws: bytes that are no sentences become a failure
/// after ``unreadable`` of them, again after each further so many. The number may change; that a first sentence makes the
/// source *found*, and a silence is reported once, must stay (`NMEASessionTests`, the table of `NMEASource`).
struct NMEAConversation: ReceiverConversation {
    /// The number of bytes without a sentence after which the input counts as something other than NMEA.
    static let unreadable = 4096

    /// Whether to reconnect after a silence: a network connection may be dead without notice.
    let hangsUpWhenSilent: Bool

    private var reader = NMEAReader()
    private var isWithoutFix = false
    private var isUnderstood = false
    private var isSilent = false
    private var hasHeard = false

    /// The bytes without a sentence since the connection was made or the failure reported.
    private var notUnderstood = 0

    init(hangsUpWhenSilent: Bool) {
        self.hangsUpWhenSilent = hangsUpWhenSilent
    }

    var farewell: String? { nil }

    mutating func open(at time: Timestamp) -> [ConversationEvent] {
        self = NMEAConversation(hangsUpWhenSilent: hangsUpWhenSilent)
        // Old receivers are wrong by multiples of 1024 weeks; the actual day is the present one or close to
        // it.
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
        let reason = "The received data isn't NMEA; check the serial speed, as in nmea:/dev/ttyUSB0#9600."
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
    /// The position with another time, for receivers that know the position but not the time.
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
