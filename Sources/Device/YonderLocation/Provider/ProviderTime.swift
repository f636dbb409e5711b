import YonderGeodesy
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A moment, measured by a monotonic clock and by the time of day.
struct Moment: Hashable, Sendable {
    /// The time since the provider was created, by a clock that never jumps.
    var elapsed: Duration

    /// The date and time, by the system's clock, which may be set back.
    var time: Timestamp
}

/// The clocks of a provider or a source.
///
/// `LocationProvider` and `TrackSource` have one each; tests pass a clock by hand, and a time of day. Ages and timeouts are
/// measured by the clock, timestamps by the time of day, which may jump: so the two must not be mixed (`LocationDeskTests`).
/// Only ``sleep`` throws, if its task is canceled.
struct ProviderTime: Sendable {
    /// The time since this value was created.
    let elapsed: @Sendable () -> Duration

    /// Waits until this much time has passed since creation; throws if the task is canceled.
    let sleep: @Sendable (_ until: Duration) async throws -> Void

    /// The date and time, by the system's clock, which may be set back.
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

    /// The date and time, by the system's clock.
    private static func systemTimeOfDay() -> Timestamp {
        Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }
}
