import Logging
import Synchronization
import YonderModel
import YonderRules

/// Reads messages that a node's chat gates miss from the store, and compares the gates with the store.
///
/// `NodeLink` has one where there are gates: it calls ``settle(deliver:passed:)`` whenever a gate may want a read, and
/// ``sweep(isUrgent:)`` every two seconds, and at once after lost frames. A read that fails is tried again later; the
/// gate goes on holding messages. Nothing throws.
///
/// That a message passes only by the gates must stay (decision 32, `ChatGatesTests`). Page, width and the chats of a
/// query may be changed: they trade memory for the time of a repair.
final class GateRepair: Sendable {
    /// How many messages are read at once for a gate.
    private static let pageLimit = 128

    /// How many reads for gates run at the same time.
    private static let width = 8

    /// How many chats one query of a sweep asks for.
    private static let sweepLimit = 1_024

    private let gates: ChatGates
    private let log: any CommitLog
    private let uptime: @Sendable () -> ContinuousClock.Instant
    private let sleep: @Sendable (Duration) async throws -> Void
    private let logger: Logger
    private let isSettling = Mutex(false)

    /// Creates the repair of a node's gates from a log.
    init(
        of gates: ChatGates,
        from log: any CommitLog,
        uptime: @escaping @Sendable () -> ContinuousClock.Instant,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        logger: Logger
    ) {
        self.gates = gates
        self.log = log
        self.uptime = uptime
        self.sleep = sleep
        self.logger = logger
    }

    /// Makes the reads that gates want, until they want none; returns at once.
    ///
    /// - Parameters:
    ///   - deliver: Called with the messages that pass, inside the mutex of the gates.
    ///   - passed: Called after each round of reads.
    func settle(
        deliver: @escaping @Sendable ([Published]) -> Void,
        passed: @escaping @Sendable () -> Void
    ) {
        guard !gates.isSettled else { return }
        let begins = isSettling.withLock { isSettling in
            defer { isSettling = true }
            return !isSettling
        }
        guard begins else { return }
        Task {
            while !gates.isSettled {
                await read(gates.takeWishes(at: uptime()), deliver)
                passed()
                try? await sleep(.milliseconds(5))
            }
            isSettling.withLock { $0 = false }
            // A gate may have begun to hold a message after the loop above ended and before the flag was cleared.
            settle(deliver: deliver, passed: passed)
        }
    }

    private func read(
        _ wishes: [(chat: ChatID, wish: ChatGate.Wish)],
        _ deliver: @escaping @Sendable ([Published]) -> Void
    ) async {
        var rest = wishes.dropFirst(Self.width)
        await withTaskGroup(of: Void.self) { group in
            for (chat, wish) in wishes.prefix(Self.width) {
                group.addTask { await self.read(wish, of: chat, deliver) }
            }
            while await group.next() != nil, let (chat, wish) = rest.popFirst() {
                group.addTask { await self.read(wish, of: chat, deliver) }
            }
        }
    }

    private func read(_ wish: ChatGate.Wish, of chat: ChatID, _ deliver: @Sendable ([Published]) -> Void)
        async
    {
        do throws(SharingError) {
            let page = try await log.stored(
                in: chat,
                after: wish.after,
                below: wish.below,
                count: Self.pageLimit
            )
            gates.receive(
                read: page.published,
                of: chat,
                first: page.chat.first,
                isComplete: page.isComplete,
                at: uptime(),
                deliver
            )
        } catch {
            gates.readFailed(of: chat, at: uptime())
        }
    }

    /// Compares every gate with the store.
    ///
    /// - Returns: Whether the store has lost messages that had passed.
    func sweep(isUrgent: Bool) async -> Bool {
        var hasLost = false
        let heads = gates.heads
        let chats = Array(heads.keys)
        for start in stride(from: 0, to: chats.count, by: Self.sweepLimit) {
            let part = Array(chats[start..<min(start + Self.sweepLimit, chats.count)])
            guard let lasts = try? await log.lasts(of: part) else { continue }
            let lost = gates.sweep(lasts, past: heads, isUrgent: isUrgent)
            guard let first = lost.first else { continue }
            hasLost = true
            logger.critical(
                """
                The database has lost messages that were acknowledged: it failed over to a standby that hadn't received them. \
                Set up synchronous replication
                """,
                metadata: ["chats": "\(lost.count)", "first": "\(first)"]
            )
        }
        return hasLost
    }
}
