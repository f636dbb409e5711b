import Observation
import YonderGeodesy

/// The present time as the screens show it, so that their ages grow.
///
/// The models of lists and maps have one each and run it while they run. ``period`` must stay as long as the heartbeat's,
/// which `SharingModel` sends by it (`SharingModelTests`).
@MainActor @Observable
final class Ticker {
    /// How often it moves on; a running share sends a heartbeat as often.
    static let period = Duration.seconds(15)

    /// The device's time when it last moved on.
    private(set) var now: Timestamp

    private let context: AppContext

    init(_ context: AppContext) {
        self.context = context
        now = context.now()
    }

    /// Reads the device's clock now, for a change that begins now.
    func tick() {
        now = context.now()
    }

    /// Moves on, and calls `act`, until the task is canceled.
    func run(_ act: () async -> Void = {}) async {
        while !Task.isCancelled {
            tick()
            await act()
            try? await context.clock.sleep(for: Self.period)
        }
    }
}
