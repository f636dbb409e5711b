/// Which password is hashed next: no thread, no lock.
///
/// All hashes together stay within a bound of memory; one that needs more than that runs alone. A known caller goes ahead
/// of every stranger who waits, so that strangers delay a known caller by one hash at most.
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
    ///   - memoryLimit: How many bytes all hashes may take at once.
    ///   - waitingLimit: How many strangers may wait, and as many known callers; the next one is refused.
    init(memoryLimit: Int, waitingLimit: Int) {
        self.memoryLimit = memoryLimit
        self.waitingLimit = waitingLimit
    }

    /// Takes a hash of `memory` bytes in; with `.wait` its ticket comes out of ``leave(_:)`` when its turn has come.
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

    /// Takes note that a hash of `memory` bytes is done.
    ///
    /// - Returns: The tickets of those that run now.
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
