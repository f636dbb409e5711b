import Synchronization
import YonderGeodesy
import YonderHub

/// The time of a server and its phones, which a test moves by seconds.
final class HandMovedTime: Sendable {
    private let start = Timestamp.now
    private let passed = Mutex(0)

    /// The seconds since the test began.
    var seconds: Int { passed.withLock(\.self) }

    /// The time.
    var now: Timestamp { start + .seconds(seconds) }

    /// Moves the time to so many seconds after the beginning.
    func move(to seconds: Int) {
        passed.withLock { $0 = seconds }
    }
}
