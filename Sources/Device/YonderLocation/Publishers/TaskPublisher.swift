import Synchronization

/// A publisher of the values of an asynchronous function, called anew for each subscription.
///
/// The function runs in a task that is canceled with the subscription, and is called only when the subscriber
/// has requested a value, so that no queue builds up here.
///
/// `LocationService+Publishers.swift` makes every publisher of it; Combine or OpenCombine subscribes. A failure of the
/// function is the publisher's failure, `nil` its end. The subscription's task alone calls the subscriber, one call after
/// another, on any thread. That nothing is asked before there is demand must stay: a subscriber without demand would lose
/// positions (`PublisherTests`).
///
/// How demand is counted and the task is woken may change.
struct TaskPublisher<Output: Sendable, Failure: Error>: Publisher {
    /// Waits for the next value of one subscription; `nil` at the end.
    typealias Next = @Sendable () async throws(Failure) -> Output?

    /// Whether the first value is also the last.
    var isSingle = false

    /// Begins the work of a subscription, before the subscriber receives the subscription.
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

// Safe because only the task calls the subscriber, and all mutable state is behind the mutex.
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
            // A task bridges the callback: a subscription has no task to run in.
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

    /// Waits until the subscriber requests a value; `false` if the subscription was canceled.
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
