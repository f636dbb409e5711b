import TestSupport
import YonderGeodesy
import YonderModel

@testable import YonderClient

/// A phone that shares: its fixes come each second, it sends one after 20 m, and every 15 s a heartbeat.
struct SharingPhone {
    /// How far apart two sent positions are at least, in meters: what an app sets as the distance filter of Core Location.
    private static let step = 20.0

    /// The seconds between two heartbeats.
    private static let beat = 15

    private let journey: Journey
    private let chat: ChatID

    /// The second of its first heartbeat: phones don't beat at the same time.
    private let phase: Int
    private var random: SeededGenerator
    private var sent: Position?

    /// What a phone sends in a second.
    enum Report {
        case position(Position)
        case heartbeat(ShareHeartbeat)
    }

    init(_ journey: Journey, in chat: ChatID, phase: Int) {
        (self.journey, self.chat, self.phase) = (journey, chat, phase)
        random = SeededGenerator(seed: UInt64(phase))
    }

    /// What is due in a second.
    mutating func reports(at second: Int, _ now: Timestamp) -> [Report] {
        let fix = journey.fix(at: second, now, &random)
        var reports: [Report] = []
        let moved = sent.map { $0.coordinate.distance(to: fix.coordinate).meters } ?? .infinity
        if moved >= Self.step {
            sent = fix
            reports.append(.position(fix))
        }
        if second % Self.beat == phase {
            let beat = ShareHeartbeat(
                fix: .init(time: now, accuracy: fix.horizontalAccuracy, coordinate: fix.coordinate),
                battery: Double(90 - second / 360) / 100,
                isCharging: false
            )
            if let beat { reports.append(.heartbeat(beat)) }
        }
        return reports
    }
}
