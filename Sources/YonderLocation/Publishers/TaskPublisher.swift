import Synchronization

/// A publisher of what an asynchronous function gives, begun anew for each subscription.
///
/// The function runs in a task that is canceled with the subscription, and is called only when the subscriber has
/// asked for a value, so that nothing piles up here.
struct TaskPublisher<Output: Sendable, Failure: Error>: Publisher {
    /// Waits for one subscription's next value; `nil` is the end.
    typealias Next = @Sendable () async throws(Failure) -> Output?

    /// Whether the first value is also the last.
    var isSingle = false

    /// Begins what a subscription listens to, before the subscriber has its subscription.
    let begin: @Sendable () -> Next

    func receive(subscriber: some Subscriber<Output, Failure>) {
        let subscription = TaskSubscription(
            isSingle: isSingle,
            receive: { subscriber.receive($0) },
            finish: { subscriber.receive(completion: $0) }
        )
        let next = begin()
        subscriber.receive(subscription: subscription)
        subscription.start(next)
    }
}

// Safe because the subscriber is called by nobody but the task, and everything that changes is behind the mutex.
private final class TaskSubscription<Output: Sendable, Failure: Error>: Subscription, @unchecked Sendable {
    private struct State {
        var demand = Subscribers.Demand.none
        var isOver = false
        var task: Task<Void, Never>?
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    private let isSingle: Bool
    private let receive: (Output) -> Subscribers.Demand
    private let finish: (Subscribers.Completion<Failure>) -> Void

    init(
        isSingle: Bool,
        receive: @escaping (Output) -> Subscribers.Demand,
        finish: @escaping (Subscribers.Completion<Failure>) -> Void
    ) {
        self.isSingle = isSingle
        self.receive = receive
        self.finish = finish
    }

    func start(_ next: @escaping TaskPublisher<Output, Failure>.Next) {
        state.withLock { state in
            guard !state.isOver else { return }
            // Bridges a callback: a subscription has no task to run in.
            state.task = Task { await self.run(next) }
        }
    }

    func request(_ demand: Subscribers.Demand) {
        let waiter = state.withLock { state in
            state.demand += demand
            guard state.demand > .none else { return nil as CheckedContinuation<Void, Never>? }
            return state.waiter.take()
        }
        waiter?.resume()
    }

    func cancel() {
        let (task, waiter) = state.withLock { state in
            state.isOver = true
            return (state.task.take(), state.waiter.take())
        }
        task?.cancel()
        waiter?.resume()
    }

    private func run(_ next: TaskPublisher<Output, Failure>.Next) async {
        do throws(Failure) {
            while await isAsked(), let value = try await next() {
                send(value)
                if isSingle { break }
            }
            complete(.finished)
        } catch {
            complete(.failure(error))
        }
    }

    /// Waits until the subscriber asks for a value; `false` if it never will.
    private func isAsked() async -> Bool {
        await withCheckedContinuation { waiter in
            let goesOn = state.withLock { state in
                guard !state.isOver, state.demand == .none else { return true }
                state.waiter = waiter
                return false
            }
            if goesOn { waiter.resume() }
        }
        return state.withLock { !$0.isOver }
    }

    private func send(_ value: Output) {
        let isWanted = state.withLock { state in
            guard !state.isOver else { return false }
            state.demand -= 1
            return true
        }
        if isWanted { request(receive(value)) }
    }

    private func complete(_ completion: Subscribers.Completion<Failure>) {
        let wasOver = state.withLock { state in
            defer { state.isOver = true }
            return state.isOver
        }
        if !wasOver { finish(completion) }
    }
}
