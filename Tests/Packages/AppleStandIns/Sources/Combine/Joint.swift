import Foundation

/// What joins several publishers to one subscriber: the part that merging and combining have in common.
///
/// Values reach the subscriber one after another, whichever threads they come from, also while it takes an earlier
/// one on the same thread.
class Joint<Downstream: Subscriber>: Subscription, @unchecked Sendable {
    // Safe because every property is read and changed with the lock held. It is recursive, since the subscriber is
    // called with it held and may ask for more or send to one of the publishers while it takes a value.
    let lock = NSRecursiveLock()
    private(set) var downstream: Downstream?
    private(set) var upstreams: [(any Subscription)?]
    private(set) var finished: Set<Int> = []
    private(set) var demand = Subscribers.Demand.none

    init(_ downstream: Downstream, count: Int) {
        self.downstream = downstream
        upstreams = Array(repeating: nil, count: count)
    }

    /// Hands the joint to the subscriber and each publisher to the joint.
    func start(_ publishers: [(Joint<Downstream>, Int) -> Void]) {
        downstream?.receive(subscription: self)
        for (index, subscribe) in publishers.enumerated() {
            subscribe(self, index)
        }
        if publishers.isEmpty {
            lock.withLock { complete(.finished) }
        }
    }

    // MARK: What differs

    /// What to ask a publisher for at first.
    ///
    /// Called with the lock held.
    func firstDemand() -> Subscribers.Demand { .unlimited }

    /// A publisher's value.
    ///
    /// Called with the lock held.
    ///
    /// - Returns: How many more that publisher may send.
    func take(_ value: Any, from index: Int) -> Subscribers.Demand { .none }

    /// The subscriber asked for more.
    ///
    /// Called with the lock held.
    func demandGrew() {}

    /// Whether something waits that the subscriber must have before the end.
    ///
    /// Called with the lock held.
    var isHolding: Bool { false }

    // MARK: Downstream

    func request(_ demand: Subscribers.Demand) {
        lock.withLock {
            guard downstream != nil else { return }
            self.demand += demand
            demandGrew()
            completeIfDone()
        }
    }

    func cancel() {
        lock.withLock { end() }
    }

    /// Gives a value to the subscriber, which must have asked for it.
    ///
    /// Called with the lock held.
    func deliver(_ value: Downstream.Input) {
        guard let downstream, demand > .none else { return }
        demand -= 1
        demand += downstream.receive(value)
    }

    // MARK: Upstream

    func receive(subscription: any Subscription, from index: Int) {
        lock.withLock {
            guard downstream != nil, upstreams[index] == nil else { return subscription.cancel() }
            upstreams[index] = subscription
            let first = firstDemand()
            if first > .none { subscription.request(first) }
        }
    }

    func receive(_ value: Any, from index: Int) -> Subscribers.Demand {
        lock.withLock { downstream == nil ? .none : take(value, from: index) }
    }

    func receive(_ completion: Subscribers.Completion<Downstream.Failure>, from index: Int) {
        lock.withLock {
            guard case .finished = completion else { return complete(completion) }
            finished.insert(index)
            upstreams[index] = nil
            completeIfDone()
        }
    }

    /// Ends with success if every publisher has and nothing waits.
    ///
    /// Called with the lock held.
    func completeIfDone() {
        if finished.count == upstreams.count, !isHolding { complete(.finished) }
    }

    private func complete(_ completion: Subscribers.Completion<Downstream.Failure>) {
        let receiver = downstream
        end()
        receiver?.receive(completion: completion)
    }

    private func end() {
        downstream = nil
        let open = upstreams
        upstreams = Array(repeating: nil, count: open.count)
        for subscription in open { subscription?.cancel() }
    }
}

/// One publisher's end of a joint.
struct JointSide<Input, Downstream: Subscriber>: Subscriber {
    typealias Failure = Downstream.Failure

    let combineIdentifier = CombineIdentifier()
    let joint: Joint<Downstream>
    let index: Int

    func receive(subscription: any Subscription) {
        joint.receive(subscription: subscription, from: index)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        joint.receive(input, from: index)
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        joint.receive(completion, from: index)
    }
}

extension Publisher {
    /// Subscribes a joint's side to this publisher, once the joint and the index are known.
    func side<Downstream: Subscriber>(
        of downstream: Downstream.Type
    ) -> (Joint<Downstream>, Int) -> Void where Downstream.Failure == Failure {
        { joint, index in subscribe(JointSide<Output, Downstream>(joint: joint, index: index)) }
    }
}
