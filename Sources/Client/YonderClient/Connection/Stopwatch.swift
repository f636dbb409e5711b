/// Measures time with a clock.
///
/// `ConnectionLoop` measures a connection with it, `RegionBrowser` the age of answers; tests pass a clock by hand.
struct Stopwatch: Sendable {
    private let measure: @Sendable () -> Duration

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        measure = { start.duration(to: clock.now) }
    }

    func elapsed() -> Duration { measure() }
}
