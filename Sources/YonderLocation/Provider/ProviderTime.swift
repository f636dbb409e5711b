import Foundation
import YonderGeodesy

/// A moment, by both clocks that matter.
struct Moment: Hashable, Sendable {
    /// How long the provider has existed, by a clock that never jumps.
    var elapsed: Duration

    /// The time of day.
    var time: Timestamp
}

/// The clocks of a provider or a source.
struct ProviderTime: Sendable {
    /// How much time has gone by since this was made.
    let elapsed: @Sendable () -> Duration

    /// Waits until so much time has gone by, or throws when the task is canceled.
    let sleep: @Sendable (_ until: Duration) async throws -> Void

    /// The time of day.
    let timeOfDay: @Sendable () -> Timestamp

    init(_ clock: some Clock<Duration>, timeOfDay: (@Sendable () -> Timestamp)?) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
        self.timeOfDay = timeOfDay ?? Self.systemTimeOfDay
    }

    var now: Moment {
        Moment(elapsed: elapsed(), time: timeOfDay())
    }

    /// The time of day, as the system tells it.
    private static func systemTimeOfDay() -> Timestamp {
        Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }
}
