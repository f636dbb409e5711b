import YonderRules

/// The order in which passwords are hashed, as a plain value without threads and locks.
///
/// All hashes together stay within a memory limit; a hash that needs more runs alone. Known callers and strangers take turns, and on
/// either side one caller after the other (`TurnQueue`): neither side can hold up the other by more than one hash a turn, nor one
/// caller another. Each ``enter(_:of:ticket:)`` that was admitted needs one ``leave(_:)``, or its memory counts as in use for good.
struct PasswordQueue<Ticket> {
    enum Admission {
        case run
        case wait
        /// The new ticket waits in place of this one, which is refused.
        case displace(Ticket)
        case refuse
    }

    private struct Waiting {
        let ticket: Ticket
        let memory: Int
    }

    private let memoryLimit: Int
    private var memoryInUse = 0
    private var waiting: TurnQueue<Waiting>

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - memoryLimit: The most memory for all hashes at once, in bytes.
    ///   - waitingLimit: The most strangers in the queue, and as many known callers; further callers are
    ///     refused.
    init(memoryLimit: Int, waitingLimit: Int) {
        self.memoryLimit = memoryLimit
        waiting = TurnQueue(limit: waitingLimit)
    }

    /// Adds a hash of `memory` bytes.
    ///
    /// If the result is `.wait` or `.displace`, ``leave(_:)`` returns the ticket when its turn comes.
    mutating func enter(_ memory: Int, of caller: TurnTaker, ticket: @autoclosure () -> Ticket) -> Admission {
        if waiting.isEmpty, fits(memory) {
            memoryInUse += memory
            return .run
        }
        switch waiting.append(Waiting(ticket: ticket(), memory: memory), of: caller) {
        case .waits: return .wait
        case .displaces(let other): return .displace(other.ticket)
        case .refused: return .refuse
        }
    }

    /// Call this when a hash of `memory` bytes is done.
    ///
    /// - Returns: The tickets of the hashes to run now.
    mutating func leave(_ memory: Int) -> [Ticket] {
        memoryInUse -= memory
        var started: [Ticket] = []
        while let next = waiting.first(), fits(next.memory) {
            _ = waiting.removeFirst()
            memoryInUse += next.memory
            started.append(next.ticket)
        }
        return started
    }

    private func fits(_ memory: Int) -> Bool {
        memoryInUse == 0 || memoryInUse + memory <= memoryLimit
    }
}
