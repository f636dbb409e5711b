import NIOCore
import YonderModel

/// The store reads of one event loop: a bounded number under way, the others queued in lanes that take turns.
///
/// Each user has one lane for all of the user's sessions on the loop; each session without an account has its
/// own. A lane's turn starts one read, so a lane with thousands of queued reads delays another lane by one
/// read a turn. A lane's length is bounded by its sessions.
///
/// `StoreReads` has one, asks ``next()`` after each ``append(_:)`` and ``ended(_:)``, and starts what it returns. All
/// calls come from the event loop; nothing throws. A canceled read is removed while it is queued; under way it still
/// counts until the store answers. That the lanes take turns must stay (`ReadQueueTests`, `ReadLanesTests`). How many
/// reads are under way, in all and for a lane, may be changed.
struct ReadQueue {
    private let limit: Int
    private var running = 0

    /// The lanes that have a queued read and may start it, in the order of their turns.
    private var turns = CircularBuffer<ReadLane>()

    /// Creates a queue that has at most `limit` reads under way.
    init(limit: Int) {
        self.limit = limit
    }

    /// Queues a read at the end of its lane.
    mutating func append(_ read: PendingRead) {
        read.lane.append(read)
        giveTurn(to: read.lane)
    }

    /// Returns the next read to start, or `nil` if none may start now.
    mutating func next() -> PendingRead? {
        while running < limit, let lane = turns.popFirst() {
            lane.hasTurn = false
            // Canceled reads have already been removed from their lane.
            guard let read = lane.startFirst() else { continue }
            running += 1
            giveTurn(to: lane)
            return read
        }
        return nil
    }

    /// Called when the store has answered a read.
    mutating func ended(_ read: PendingRead) {
        running -= 1
        read.lane.running -= 1
        giveTurn(to: read.lane)
    }

    private mutating func giveTurn(to lane: ReadLane) {
        guard lane.mayStart, !lane.hasTurn else { return }
        lane.hasTurn = true
        turns.append(lane)
    }
}

/// The queued reads of one user on an event loop, oldest first.
final class ReadLane {
    /// The user, or `nil` for a session without an account and for the loop itself.
    let person: UserID?
    private let limit: Int
    private(set) var queued: [PendingRead] = []

    /// The number of the lane's reads that are under way.
    fileprivate(set) var running = 0

    /// Whether the lane is in the queue of turns.
    fileprivate var hasTurn = false

    /// Creates a lane that has at most `limit` reads under way.
    init(of person: UserID? = nil, limit: Int = 8) {
        self.person = person
        self.limit = limit
    }

    /// Whether the lane has no read queued or under way.
    var isIdle: Bool { queued.isEmpty && running == 0 }

    /// Whether a queued read may be started.
    fileprivate var mayStart: Bool { !queued.isEmpty && running < limit }

    fileprivate func append(_ read: PendingRead) {
        queued.append(read)
    }

    fileprivate func startFirst() -> PendingRead? {
        guard mayStart else { return nil }
        running += 1
        return queued.removeFirst()
    }

    fileprivate func remove(_ read: PendingRead) {
        queued.removeAll { $0 === read }
    }
}

/// One read of the store, from being queued until the store has answered.
///
/// Belongs to its event loop.
final class PendingRead {
    private enum State {
        case queued(start: () -> Void)
        case underWay
        case ended
    }

    let lane: ReadLane
    private var state: State
    private(set) var isCanceled = false

    /// Called once, when the read has ended or was canceled before it was started.
    var onEnd: (() -> Void)?

    init(in lane: ReadLane, start: @escaping (PendingRead) -> Void) {
        self.lane = lane
        state = .ended
        state = .queued { [unowned self] in start(self) }
    }

    /// Whether the read hasn't been started yet.
    var isQueued: Bool { if case .queued = state { true } else { false } }

    /// Cancels the read: a queued read isn't started, and the answer of one under way is ignored.
    func cancel() {
        isCanceled = true
        guard isQueued else { return }
        lane.remove(self)
        end()
    }

    /// Asks the store, unless the read was canceled before its turn.
    func begin() {
        guard case .queued(let start) = state else { return }
        state = .underWay
        start()
    }

    /// Called when the store has answered.
    func end() {
        state = .ended
        let onEnd = onEnd
        self.onEnd = nil
        onEnd?()
    }
}
