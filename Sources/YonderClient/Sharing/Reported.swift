import YonderGeodesy
import YonderModel

/// What the server has of this device's reports, so that heartbeats leave it out.
///
/// Invariants:
///
/// 1. A heartbeat's fix has no coordinates only if the server counts it as near the last position that it has stored in the chat.
/// 2. A heartbeat has no battery only if an earlier one on this connection had the same, at most ``repetition`` heartbeats ago: the
///    server keeps it in memory.
struct Reported: Sendable {
    /// After how many heartbeats the battery is sent again: every five minutes.
    static let repetition = 20

    /// The greatest distance, in meters, at which the server takes a fix without coordinates for the last position.
    private static let nearby = 20.0

    private struct Audience: Hashable {
        let chat: ChatID
        let share: ShareID?
    }

    private struct Battery {
        let level: Double?
        let isCharging: Bool?
        var repetitions = 0
    }

    private struct Sent {
        let key: OutgoingKey
        let coordinate: Coordinate
    }

    /// The newest position in each chat that the server hasn't stored yet.
    private var unanswered: [ChatID: Sent] = [:]
    private var places: [ChatID: Coordinate] = [:]
    private var batteries: [Audience: Battery] = [:]

    /// Call this with each message that is sent.
    mutating func sends(_ entry: OutboxEntry) {
        guard entry.draft.tag == .location,
            let position = entry.draft.data?.position(at: Timestamp(milliseconds: 0))
        else { return }
        unanswered[entry.chat] = Sent(key: OutgoingKey(entry), coordinate: position.coordinate)
    }

    /// Call this with each answer to a message.
    mutating func answered(_ id: OutgoingKey, isStored: Bool) {
        guard let chat = id.chat, let sent = unanswered[chat], sent.key == id else { return }
        unanswered[chat] = nil
        if isStored { places[chat] = sent.coordinate }
    }

    /// Call this when the connection ended: another server may have the next one.
    mutating func disconnected() {
        batteries = [:]
    }

    /// A heartbeat without what the server has.
    mutating func news(in heartbeat: ShareHeartbeat, of share: ShareID?, in chat: ChatID) -> ShareHeartbeat {
        let isKnown = isKnown(heartbeat, Audience(chat: chat, share: share))
        let rest = ShareHeartbeat(
            fix: heartbeat.fix.map { news(in: $0, chat) },
            battery: isKnown ? nil : heartbeat.battery,
            isCharging: isKnown ? nil : heartbeat.isCharging,
            isPaused: heartbeat.isPaused
        )
        return rest ?? heartbeat
    }

    private func news(in fix: ShareHeartbeat.Fix, _ chat: ChatID) -> ShareHeartbeat.Fix {
        guard let coordinate = fix.coordinate else { return fix }
        let limit = max(Self.nearby, fix.accuracy?.meters ?? 0)
        if let place = places[chat], coordinate.distance(to: place).meters <= limit {
            return ShareHeartbeat.Fix(time: fix.time)
        }
        return ShareHeartbeat.Fix(
            time: fix.time,
            accuracy: fix.accuracy?.inTenths,
            coordinate: coordinate.inSixDecimals
        )
    }

    private mutating func isKnown(_ heartbeat: ShareHeartbeat, _ audience: Audience) -> Bool {
        guard var last = batteries[audience], last.level == heartbeat.battery,
            last.isCharging == heartbeat.isCharging, last.repetitions < Self.repetition
        else {
            batteries[audience] = Battery(level: heartbeat.battery, isCharging: heartbeat.isCharging)
            return false
        }
        last.repetitions += 1
        batteries[audience] = last
        return true
    }
}

extension Coordinate {
    /// A tenth of a meter, as positions are sent.
    fileprivate var inSixDecimals: Coordinate {
        Coordinate(latitude: sixDecimals(latitude), longitude: sixDecimals(longitude)) ?? self
    }
}

private func sixDecimals(_ degrees: Double) -> Double {
    (degrees * 1e6).rounded() / 1e6
}
