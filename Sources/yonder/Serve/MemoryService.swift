import Logging
import ServiceLifecycle
import YonderMetrics

/// Gives memory that was freed back to the operating system, every 30 seconds, until the server stops.
///
/// `ServerProcess` runs one. Whether there is enough to give back, and how, is decided in `FreedMemory`; it changes no
/// answer, only the memory that the operating system counts. It never throws. `test_memory.py` measures the effect.
struct MemoryService: Service {
    /// How long after one attempt the next one follows.
    static let interval = Duration.seconds(30)

    let logger: Logger

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { [logger] in
                var memory = FreedMemory()
                while true {
                    let began = ContinuousClock.now
                    if let bytes = memory.giveBack() {
                        let duration = ContinuousClock.now - began
                        logger.debug(
                            "Freed memory was given back",
                            metadata: ["bytes": "\(bytes)", "duration": "\(duration)"]
                        )
                    }
                    try await ContinuousClock().sleep(for: Self.interval)
                }
            }
        } catch is CancellationError {}
    }
}
