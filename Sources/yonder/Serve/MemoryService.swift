import Logging
import ServiceLifecycle
import YonderMetrics

/// Gives memory that was freed back to the operating system, every 30 seconds until the server stops.
struct MemoryService: Service {
    let logger: Logger

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { [logger] in
                var memory = FreedMemory()
                while true {
                    if let bytes = memory.giveBack() {
                        logger.debug("freed memory was given back", metadata: ["bytes": "\(bytes)"])
                    }
                    try await Task.sleep(for: .seconds(30))
                }
            }
        } catch is CancellationError {}
    }
}
