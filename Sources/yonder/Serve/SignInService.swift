import Logging
import ServiceLifecycle
import YonderCluster
import YonderModel

/// Ends sessions whose sign-in another program ended in the database, until the server stops.
struct SignInService: Service {
    let watch: SignInWatch
    let logger: Logger

    func run() async throws {
        let (watch, logger) = (watch, logger)
        do {
            try await cancelWhenGracefulShutdown {
                while true {
                    try await ContinuousClock().sleep(for: SignInWatch.interval)
                    do throws(SharingError) {
                        try await watch.look()
                    } catch {
                        logger.warning("Sign-ins weren't checked", metadata: ["code": "\(error.code)"])
                    }
                }
            }
        } catch is CancellationError {}
    }
}
