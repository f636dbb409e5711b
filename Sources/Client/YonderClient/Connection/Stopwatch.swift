/// Measures time with a clock.
struct Stopwatch: Sendable {
    private let measure: @Sendable () -> Duration

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        measure = { start.duration(to: clock.now) }
    }

    func elapsed() -> Duration { measure() }
}
