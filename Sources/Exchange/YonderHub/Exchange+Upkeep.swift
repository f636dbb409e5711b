import Logging
import YonderBus
import YonderModel
import YonderRules

/// The exchange's periodic work.
///
/// `ServerProcess` runs ``run()`` as long as the server. A failure of the store is tried again with the next turn, and
/// nothing else waits for it. Shares and pins end within a second of their time, which must stay; the hour and the
/// minute may be changed (`ClockTests`).
extension Exchange {
    /// How often positions are erased whose chats have kept them for the time that is set.
    private static let erasingInterval = Duration.seconds(3_600)

    /// How often it is read which shares another program has ended.
    private static let endsInterval = Duration.seconds(15)

    /// How often chat gates are closed that no session of this node needs.
    private static let gateInterval = Duration.seconds(60)

    /// Ends what is over by the time, empties expired messages, and closes unused chat gates, until cancelled.
    package func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { try await self.tick() }
            group.addTask { try await self.tidy() }
        }
    }

    /// Ends shares, pins and sessions that are over, once a second, until cancelled.
    ///
    /// By itself, because it doesn't wait for the store: whatever the store is busy with, the viewers are sent an end within
    /// a second.
    func tick() async throws {
        while true {
            try await sleep(.seconds(1))
            tick(now(), signIns: expiry.now)
        }
    }

    /// Has the store empty what has expired, and closes unused chat gates, until cancelled.
    func tidy() async throws {
        var erased: ContinuousClock.Instant?
        var (closed, read) = (uptime(), uptime())
        var failures = FailureRun()
        while true {
            try await sleep(.seconds(1))
            let now = now()
            await readBoards()
            if link.hasGates, uptime() - read >= Self.endsInterval {
                read = uptime()
                await readEnds()
            }
            do {
                while try await chats.expire(at: now, limit: 1_000) == 1_000 {}
                while try await chats.eraseShares(at: now, limit: 1_000) > 0 {}
                // Last, because a full disk can refuse it: it moves messages first.
                if erased.map({ uptime() - $0 > Self.erasingInterval }) ?? true {
                    while try await chats.erasePositions(at: now, limit: 1_000) > 0 {}
                    erased = uptime()
                }
                if let count = failures.succeeded() {
                    logger.notice("Expiry works again", metadata: ["failures": "\(count)"])
                }
            } catch {
                if let count = failures.failed(at: uptime()) {
                    logger.warning(
                        "Expiry failed",
                        metadata: ["code": "\(error.code)", "failures": "\(count)"]
                    )
                }
            }
            if uptime() - closed >= Self.gateInterval {
                closed = uptime()
                await closeGates()
            }
        }
    }
}
