import Logging
import ServiceLifecycle
import YonderRules
import YonderHub
import YonderModel

/// Ends sessions whose sign-in another program ended in the database, and notes when the database answers, until the server
/// stops.
///
/// `ServerProcess` runs one over PostgreSQL. `SignInWatch` says how often to ask, compares the sign-ins, and ends those that
/// are over; `Exchange.storeAnswered` and `Exchange.storeIsSilent` decide what a database without an answer costs. A
/// question that fails is logged once until an answer comes, and all sign-ins are asked for again at the next probe; the
/// service never throws but at its end. Neither loop may wait for the other: each question may take seconds, and the silence
/// is noticed every second.
///
/// `SilenceTests` and `SignInWatchTests` hold what it asks and what follows; the intervals are in `SignInWatch`.
struct SignInService: Service {
    let watch: SignInWatch
    let exchange: Exchange
    let logger: Logger

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                try await withThrowingDiscardingTaskGroup { group in
                    group.addTask { try await ask() }
                    // Beside the questions, each of which may wait for its answer for seconds.
                    group.addTask {
                        while true {
                            try await ContinuousClock().sleep(for: .seconds(1))
                            exchange.storeIsSilent()
                        }
                    }
                }
            }
        } catch is CancellationError {}
    }

    /// Asks for all sign-ins at each interval, and between them only whether the database answers.
    private func ask() async throws {
        // At once after a time without an answer: what has ended meanwhile isn't known yet.
        var nextLook = ContinuousClock.now + SignInWatch.interval
        var hasFailed = false
        while true {
            try await ContinuousClock().sleep(for: SignInWatch.probeInterval)
            var asked = ContinuousClock.now
            do throws(SharingError) {
                if asked >= nextLook {
                    asked = try await watch.look()
                    nextLook = asked + SignInWatch.interval
                } else {
                    try await watch.probe()
                }
                exchange.storeAnswered(at: asked, hasFailed: hasFailed)
                hasFailed = false
            } catch {
                if !hasFailed {
                    logger.warning("Sign-ins weren't checked", metadata: ["code": "\(error.code)"])
                }
                hasFailed = true
                nextLook = asked
            }
        }
    }
}
