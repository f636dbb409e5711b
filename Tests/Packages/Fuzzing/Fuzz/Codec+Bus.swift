import YonderBus
import YonderGeodesy
import YonderModel
import YonderRules

extension Codec {
    /// What is no number of anything, and what lies at a bound.
    private static let extremes: [UInt64] = [
        UInt64(bitPattern: .min), .max, UInt64(Int64.max), UInt64(Int64.max) - 1, 1 << 53, (1 << 53) - 1,
        1 << 32, 0,
    ]

    /// A frame of another node that was read, written again, is the same, and no number of it traps where it is taken; each
    /// frame comes once more with an extreme number anywhere in it.
    static let bus = Codec { bytes in
        guard bytes.count > 3 else { return }
        var frame = Array(bytes[3...])
        receive(frame)
        let place = (Int(bytes[1]) << 8 | Int(bytes[2])) % max(1, frame.count)
        guard place + 8 <= frame.count else { return }
        let extreme = extremes[Int(bytes[0]) % extremes.count]
        for byte in 0..<8 { frame[place + byte] = UInt8(truncatingIfNeeded: extreme >> (8 * byte)) }
        receive(frame)
    }

    private static func receive(_ bytes: [UInt8]) {
        guard let frame = try? BusFrame(bytes) else { return }
        precondition((try? BusFrame(frame.encoded())) == frame)
        let now = ContinuousClock.now
        var roll = NodeRoll()
        _ = roll.receive(node: frame.node, number: 1, at: now)
        _ = roll.receive(node: frame.node, number: frame.number, at: now)
        var hold = HoldTime()
        hold.note(lateness: 1_764_000_000_000 - frame.sent.milliseconds)
        switch frame.content {
        case .committed(let messages):
            var gates: [ChatID: ChatGate] = [:]
            for published in messages {
                var gate = gates[published.message.chat] ?? ChatGate(head: 0)
                if let number = published.message.number, !gate.passes(number) {
                    _ = gate.receive(published, at: now, hold: hold.hold)
                }
                _ = gate.wish(at: now + hold.hold)
                _ = gate.receive(read: [published], first: 1, isComplete: true, at: now, hold: hold.hold)
                gates[published.message.chat] = gate
            }
        case .objectsChanged(let changes):
            var gates: [ObjectLane: LaneGate] = [:]
            for change in changes {
                var gate = gates[change.lane] ?? LaneGate(head: 0)
                _ = gate.receive(change.number, of: change.object, at: now, hold: hold.hold)
                gate.sweep(last: change.number, past: 0, isUrgent: true)
                _ = gate.wish(at: now + hold.hold)
                let page = LanePage(last: 1, trimmed: 0, version: 1, changes: [change], isComplete: true)
                _ = gate.receive(page, after: 0, at: now, hold: hold.hold)
                gates[change.lane] = gate
            }
        case .present(let page):
            precondition(page.number < page.count && page.isLast == (page.number + 1 == page.count))
        default: break
        }
    }
}
