import YonderGeodesy
import YonderModel

/// What went over a phone's connection, and how long its radio was on for that.
struct Traffic: Hashable, Sendable {
    /// What went one way.
    struct Way: Hashable, Sendable {
        var bytes = 0
        var frames = 0
    }

    /// How long a radio stays on after the last byte, in seconds: a longer gap without traffic turns it off.
    static let tail = 10

    private(set) var up = Way()
    private(set) var down = Way()

    /// How often the radio was turned on.
    private(set) var wakeUps = 0

    /// How long the radio was on, in seconds.
    private(set) var secondsAwake = 0

    private var last: Int?

    /// Counts a frame, or a request, that the phone sent.
    mutating func send(_ bytes: Int, at second: Int) {
        up.bytes += bytes
        up.frames += 1
        wake(at: second)
    }

    /// Counts a frame, or an answer, that the phone received.
    mutating func receive(_ bytes: Int, at second: Int) {
        down.bytes += bytes
        down.frames += 1
        wake(at: second)
    }

    private mutating func wake(at second: Int) {
        let gap = last.map { second - $0 } ?? .max
        last = second
        if gap > Self.tail { wakeUps += 1 }
        secondsAwake += min(gap, Self.tail)
    }
}

extension Traffic {
    /// The bytes of a WebSocket frame around a payload, of which a client masks its own by four more.
    static func frame(_ payload: Int, isMasked: Bool) -> Int {
        let length = payload < 126 ? 0 : payload < 65_536 ? 2 : 8
        return 2 + length + (isMasked ? 4 : 0) + payload
    }
}
