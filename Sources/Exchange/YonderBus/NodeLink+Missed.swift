import Logging
import Synchronization
import YonderGeodesy
import YonderModel
import YonderRules

// Heartbeats, and what becomes of frames that were lost: reads of the store, and messages that wait for the commits before them.
extension NodeLink {
    /// The least time between two calls of `missedFrames`, because the listener reads every list again at each.
    private static let missedInterval = Duration.seconds(1)

    /// Sends heartbeats, removes silent nodes, and compares gates with the store, until cancelled.
    ///
    /// Heartbeats don't wait for comparisons: a node must not seem dead because the database doesn't answer.
    package func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            if !bus.isAlone { group.addTask { try await self.beat() } }
            if hasGates { group.addTask { try await self.compare() } }
            try await group.waitForAll()
        }
    }

    private func beat() async throws {
        while true {
            publish(.alive(hasStore: hasStore))
            requests.expire(at: uptime())
            let dead = state.withLock { state in
                let dead = state.roll.takeDead(at: uptime())
                state.unanswered.subtract(dead)
                state.withStore.subtract(dead)
                return dead
            }
            for node in state.withLock({ $0.unanswered }) { publish(.ask(node)) }
            if !dead.isEmpty {
                logger.warning("Nodes gone silent", metadata: ["count": "\(dead.count)"])
                gone(dead)
                missed()
            }
            if state.withLock({ $0.owesMissed }) { missed() }
            passEarly()
            try await sleep(.seconds(1))
        }
    }

    private func compare() async throws {
        var second = 0
        while true {
            let isUrgent = state.withLock { state in
                defer { state.sweepsNow = false }
                return state.sweepsNow
            }
            if isUrgent || second.isMultiple(of: 2) { await sweep(isUrgent: isUrgent) }
            if bus.isAlone, state.withLock({ $0.owesMissed }) { missed() }
            second += 1
            try await sleep(.seconds(1))
        }
    }

    /// Compares every gate with the store, and has missing messages read.
    private func sweep(isUrgent: Bool) async {
        if await repair?.sweep(isUrgent: isUrgent) ?? false { missed() }
        settle()
    }

    /// Called when frames were lost: every gate is compared with the store, and lists are read again, at most once a second.
    package func missed() {
        let isDue = state.withLock { state in
            state.sweepsNow = true
            let now = uptime()
            let isTooSoon = state.lastMissed.map { now - $0 < Self.missedInterval } ?? false
            state.owesMissed = isTooSoon
            if !isTooSoon { state.lastMissed = now }
            return !isTooSoon
        }
        if isDue { listener?.missedFrames() }
    }

    /// Called when it isn't known what a commit of this node has made: every node reads everything again.
    package func doubt() {
        state.withLock { $0.number += 1 }
        missed()
    }

    /// Delivers a `keep: false` message after the commits that its sender's node had delivered.
    ///
    /// A `Leave` among these commits takes effect first, so that the user who left doesn't get the message.
    func pass(_ published: Published, behind last: Int64) {
        let head = gates.head(of: published.message.chat)
        guard let head, head < last else { listener?.pass(unkept: published); return }
        state.withLock { $0.early.append(published, behind: last, at: uptime()) }
    }

    /// Delivers the messages whose commits have passed meanwhile, and drops those that have waited too long.
    func passEarly() {
        var waiting = state.withLock { $0.early.takeAll() }
        guard !waiting.isEmpty else { return }
        let ready = waiting.takeReady(at: uptime()) { gates.head(of: $0) }
        for published in ready { listener?.pass(unkept: published) }
        state.withLock { [waiting] in $0.early.putBack(waiting) }
    }

    /// Has the reads made that gates want, until they want none; returns at once.
    func settle() {
        repair?.settle {
            self.deliver($0)
        } passed: {
            self.passEarly()
        }
    }

    /// Passes messages on to the event loops of this node; call it inside the mutex of the gates.
    package func deliver(_ published: [Published]) {
        if !published.isEmpty { listener?.deliver(published) }
    }
}
