/// The order in which passwords are hashed, as a plain value without threads and locks.
///
/// All hashes together stay within a memory limit; a hash that needs more runs alone. A known caller goes
/// ahead of all waiting strangers, so strangers delay a known caller by one hash at most.
///
/// `PasswordHasher` has one behind a mutex and resumes the tickets that it returns. It is a plain value, and nothing
/// throws, beyond the limit a caller is refused. That each ``enter(_:isKnown:ticket:)`` that was admitted has one
/// ``leave(_:)`` is the caller's duty, or the memory seems taken for good. The order of known callers before strangers
/// must stay (`PasswordTests`); both limits may be changed.
struct PasswordQueue<Ticket> {
    enum Admission: Hashable {
        case run
        case wait
        case refuse
    }

    private struct Waiting {
        let ticket: Ticket
        let memory: Int
    }

    private let memoryLimit: Int
    private let waitingLimit: Int
    private var memoryInUse = 0
    private var known: [Waiting] = []
    private var strangers: [Waiting] = []

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - memoryLimit: The most memory for all hashes at once, in bytes.
    ///   - waitingLimit: The most strangers in the queue, and as many known callers; further callers are
    ///     refused.
    init(memoryLimit: Int, waitingLimit: Int) {
        self.memoryLimit = memoryLimit
        self.waitingLimit = waitingLimit
    }

    /// Adds a hash of `memory` bytes.
    ///
    /// If the result is `.wait`, ``leave(_:)`` returns the ticket when its turn comes.
    mutating func enter(_ memory: Int, isKnown: Bool, ticket: @autoclosure () -> Ticket) -> Admission {
        if known.isEmpty, isKnown || strangers.isEmpty, fits(memory) {
            memoryInUse += memory
            return .run
        }
        guard (isKnown ? known : strangers).count < waitingLimit else { return .refuse }
        let waiting = Waiting(ticket: ticket(), memory: memory)
        if isKnown { known.append(waiting) } else { strangers.append(waiting) }
        return .wait
    }

    /// Call this when a hash of `memory` bytes is done.
    ///
    /// - Returns: The tickets of the hashes to run now.
    mutating func leave(_ memory: Int) -> [Ticket] {
        memoryInUse -= memory
        var started: [Ticket] = []
        while let next = known.first ?? strangers.first, fits(next.memory) {
            if known.isEmpty { strangers.removeFirst() } else { known.removeFirst() }
            memoryInUse += next.memory
            started.append(next.ticket)
        }
        return started
    }

    private func fits(_ memory: Int) -> Bool {
        memoryInUse == 0 || memoryInUse + memory <= memoryLimit
    }
}
