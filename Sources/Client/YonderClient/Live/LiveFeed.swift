import Synchronization
import YonderModel
import YonderWire

/// A subscription of any type, as the client handles it.
protocol LiveSubscription: AnyObject, Sendable {
    /// Prepares to subscribe, and returns the query to send.
    func reopen() -> StreamQuery

    /// Applies a frame of this subscription.
    func apply(_ frame: ServerFrame)

    /// The frame to send after an answer, or `nil` if none was waiting for it.
    func nextFrame(of id: Int64) -> ClientFrame?

    /// Ends the subscription for all readers.
    func finish(_ error: SharingError)

    /// Whether the subscription has a reader.
    var isRead: Bool { get }

    /// Whether the answer is complete.
    var isCurrent: Bool { get }

    /// Whether the list misses an item that only a new answer has.
    var mustAskAnew: Bool { get }
}

/// A subscription's list and its readers.
///
/// Each reader has a bounded queue of updates; a reader who falls behind gets the whole list next, in place
/// of the queue.
///
/// `Subscriptions` of `SharingClient` makes one for each distinct query, passes it the query's frames in their order, and
/// has it reopen at each connection; readers wait for updates on any thread. It never throws by itself: ``finish(_:)`` ends
/// all readers with an error, of which the first counts. What a frame does to the list is decided by the ``LiveList``. No
/// reader is resumed under the lock, because a canceled reader takes it (`LiveFeedTests`, `CONTRIBUTING.md`).
///
/// The capacity is the client's setting. That no reader has a gap must stay: a change that doesn't fit the queue becomes a
/// list.
final class LiveFeed<List: LiveList>: LiveSubscription {
    typealias Update = LiveUpdate<List.Snapshot, List.Change>
    typealias Answer = Result<Update?, SharingError>

    private struct Reader {
        var waiting: [Update] = []
        var first = 0
        var skipsToNow = false
        var waiter: CheckedContinuation<Answer, Never>?
    }

    private struct State {
        var list: List
        var readers: [Int: Reader] = [:]
        var nextReader = 0
        var error: SharingError?

        /// The waiters to resume when the lock is free.
        var due: [(waiter: CheckedContinuation<Answer, Never>, answer: Answer)] = []

        /// Has a reader's waiter resumed, if there is one.
        mutating func resume(_ id: Int, _ answer: Answer) {
            guard let waiter = readers[id]?.waiter else { return }
            readers[id]?.waiter = nil
            due.append((waiter, answer))
        }
    }

    /// The most updates queued for a reader.
    private let capacity: Int
    private let state: Mutex<State>

    init(_ list: List, capacity: Int = 1_024) {
        self.capacity = capacity
        state = Mutex(State(list: list))
    }

    func reopen() -> StreamQuery {
        state.withLock { state in
            state.list.reopen()
            return state.list.query
        }
    }

    func apply(_ frame: ServerFrame) {
        change { state in
            switch state.list.apply(frame) {
            case .nothing: break
            case .list:
                for id in state.readers.keys { Self.skip(id, &state) }
            case .changes(let changes):
                for id in state.readers.keys { add(changes, to: id, &state) }
            }
        }
    }

    func nextFrame(of id: Int64) -> ClientFrame? {
        update { $0.nextFrame(of: id) }
    }

    /// Changes the list or its query.
    func update<Value>(_ body: (inout List) -> sending Value) -> sending Value {
        state.withLock { body(&$0.list) }
    }

    func finish(_ error: SharingError) {
        change { state in
            state.error = state.error ?? error
            for id in state.readers.keys { Self.wake(id, &state) }
        }
    }

    /// Adds a reader.
    ///
    /// - Parameter onEnd: Called when the returned sequence is released.
    /// - Returns: The updates.
    func addReader(onEnd: @escaping @Sendable () -> Void) -> LiveUpdates<List.Snapshot, List.Change> {
        let id = state.withLock { state in
            state.nextReader += 1
            state.readers[state.nextReader] = Reader(skipsToNow: state.list.isCurrent)
            return state.nextReader
        }
        let token = LiveToken { [self] in
            remove(id)
            onEnd()
        }
        return LiveUpdates { [self] in
            defer { withExtendedLifetime(token) {} }
            return await next(id)
        }
    }

    var isRead: Bool { state.withLock { !$0.readers.isEmpty } }

    var isCurrent: Bool { state.withLock(\.list.isCurrent) }

    var mustAskAnew: Bool { state.withLock(\.list.mustAskAnew) }

    private func remove(_ id: Int) {
        change { state in
            state.resume(id, .success(nil))
            state.readers[id] = nil
        }
    }

    /// Changes the state, and resumes waiters then.
    ///
    /// Not under the lock: a canceled task's handler runs under a lock of the task that resuming takes, too, and waits for
    /// this one.
    private func change(_ body: (inout State) -> Void) {
        let due = state.withLock { state in
            body(&state)
            defer { state.due = [] }
            return state.due
        }
        for (waiter, answer) in due { waiter.resume(returning: answer) }
    }

    private func next(_ id: Int) async -> Answer {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                change { state in
                    guard !Task.isCancelled, state.readers[id] != nil else {
                        return state.due.append((waiter, .success(nil)))
                    }
                    state.resume(id, .success(nil))
                    state.readers[id]?.waiter = waiter
                    Self.wake(id, &state)
                }
            }
        } onCancel: {
            change { $0.resume(id, .success(nil)) }
        }
    }

    private func add(_ changes: [List.Change], to id: Int, _ state: inout State) {
        guard let reader = state.readers[id], !reader.skipsToNow else { return }
        guard reader.waiting.count - reader.first + changes.count <= capacity else {
            return Self.skip(id, &state)
        }
        state.readers[id]?.waiting += changes.map(Update.change)
        Self.wake(id, &state)
    }

    private static func skip(_ id: Int, _ state: inout State) {
        state.readers[id]?.waiting = []
        state.readers[id]?.first = 0
        state.readers[id]?.skipsToNow = true
        wake(id, &state)
    }

    private static func wake(_ id: Int, _ state: inout State) {
        guard var reader = state.readers[id], reader.waiter != nil, let answer = take(&reader, state)
        else { return }
        state.readers[id] = reader
        state.resume(id, answer)
    }

    private static func take(_ reader: inout Reader, _ state: State) -> Answer? {
        if reader.skipsToNow {
            reader.skipsToNow = false
            return .success(.list(state.list.snapshot))
        }
        if reader.first < reader.waiting.count {
            let update = reader.waiting[reader.first]
            reader.first += 1
            if reader.first == reader.waiting.count {
                reader.waiting = []
                reader.first = 0
            }
            return .success(update)
        }
        return state.error.map { .failure($0) }
    }
}

/// Calls a function when it is released.
private final class LiveToken: Sendable {
    private let onEnd: @Sendable () -> Void

    init(onEnd: @escaping @Sendable () -> Void) {
        self.onEnd = onEnd
    }

    deinit {
        onEnd()
    }
}
