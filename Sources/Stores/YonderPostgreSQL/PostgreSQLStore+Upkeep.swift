#if Postgres
import Logging
import Synchronization
package import YonderGeodesy
import YonderLibPQ
import YonderModel
import YonderTables

// Health and periodic work. `ServerProcess` asks ``PostgreSQLStore/isHealthy()`` for `/ready`, and runs
// ``PostgreSQLStore/maintain(pause:)`` as long as the server; the work itself is `Upkeep`. A failure is logged and tried
// again at the next turn. A server whose claim is lost, because another one took the database over, must not write:
// `mayWrite` is asked before submissions are queued (`DatabaseClaim`, `PostgreSQLUpkeepTests`). Both times may be changed.

extension PostgreSQLStore {
    /// How long ``isHealthy()`` waits for the database.
    private static let healthTimeout = Duration.seconds(2)

    /// Whether writes may be sent to the database: a server that has lost its claim must not write.
    var mayWrite: Bool { claim?.holds ?? true }

    /// Whether the database answers within two seconds, and this server's claim to it holds.
    package func isHealthy() async -> Bool { await trouble() == nil }

    /// Why the database can't be written, without its address; `nil` if it can.
    package func trouble() async -> String? {
        guard mayWrite else { return "Another server has claimed the database" }
        return await answersInTime() ? nil : "The database doesn't answer"
    }

    private func answersInTime() async -> Bool {
        await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
            let first = First(continuation)
            Task { first.answer(await answers()) }
            Task {
                try? await ContinuousClock().sleep(for: Self.healthTimeout)
                first.answer(false)
            }
        }
    }

    private func answers() async -> Bool {
        do {
            return try await !read(Statement(name: "alive", sql: "SELECT true")).isEmpty
        } catch {
            return false
        }
    }

    /// Does the periodic work for the database, and keeps this server's claim to it, until cancelled.
    ///
    /// - Parameters:
    ///   - now: The server's time.
    ///   - pause: Waits between two checks; a second by default.
    package func maintain(
        now: @escaping @Sendable () -> Timestamp,
        pause: @escaping @Sendable () async throws -> Void = {
            try await ContinuousClock().sleep(for: .seconds(1))
        }
    ) async {
        await withTaskGroup { group in
            group.addTask { await self.endDeletions() }
            group.addTask { await self.keepClaim(pause) }
            group.addTask { await self.keepUp(pause) }
            group.addTask { await self.clearUp(now, pause) }
        }
    }

    /// Removes the objects of entities whose deletion a killed server didn't end; after a failure the next deletion or start does.
    private func endDeletions() async {
        do throws(SharingError) {
            try await sweepObjects()
        } catch {
            logger.warning("The objects of deleted entities can't be removed now: \(error.message)")
        }
    }

    /// Whether nothing is left of what earlier versions kept of erased content; `false` until ``maintain(pause:)`` has looked.
    package var isCleared: Bool { cleared.load(ordering: .relaxed) }

    /// Clears what earlier versions left of erased content, a step at a time; a step that fails is taken again.
    private func clearUp(_ now: @Sendable () -> Timestamp, _ pause: @Sendable () async throws -> Void) async {
        var mark: Clearing?
        while !(mark?.isDone ?? false), (try? await pause()) != nil, !Task.isCancelled {
            guard mayWrite, mark?.isDue(at: now()) ?? true else { continue }
            mark = (try? await clear(at: now())) ?? mark
        }
        if mark?.isDone ?? false { cleared.store(true, ordering: .relaxed) }
    }

    private func keepClaim(_ pause: @Sendable () async throws -> Void) async {
        guard let claim else { return }
        while (try? await pause()) != nil, !Task.isCancelled {
            let held = claim.holds
            do throws(LinkFailure) {
                let holds = try await claim.take()
                if held, !holds {
                    logger.critical(
                        "Another server has claimed the database; this server writes nothing until it has the claim again"
                    )
                }
            } catch {
                logger.warning("The claim to the database can't be checked: \(error.message)")
            }
        }
    }

    private func keepUp(_ pause: @Sendable () async throws -> Void) async {
        let upkeep = Upkeep(over: makeUpkeepLink(), logger: logger)
        await withTaskCancellationHandler {
            var plan = UpkeepPlan()
            while (try? await pause()) != nil, !Task.isCancelled {
                for work in plan.take(at: .now) { await upkeep.perform(work) }
            }
        } onCancel: {
            upkeep.abandon()
        }
        await upkeep.close()
    }
}

/// Resumes a continuation with the first of several answers.
private final class First: Sendable {
    private let waiting: Mutex<CheckedContinuation<Bool, Never>?>

    init(_ continuation: CheckedContinuation<Bool, Never>) {
        waiting = Mutex(continuation)
    }

    func answer(_ value: Bool) {
        let continuation = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume(returning: value)
    }
}
#endif
