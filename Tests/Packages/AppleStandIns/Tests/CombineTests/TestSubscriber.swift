import Combine

/// Takes as many values as it is told to ask for, and keeps what it gets.
final class TestSubscriber<Input, Failure: Error>: Subscriber {
    private(set) var values: [Input] = []
    private(set) var completions: [Subscribers.Completion<Failure>] = []
    private let atFirst: Subscribers.Demand
    private var subscription: (any Subscription)?

    /// What to do with a value besides keeping it.
    var onValue: (Input) -> Void = { _ in }

    init(_ atFirst: Subscribers.Demand = .unlimited) {
        self.atFirst = atFirst
    }

    func receive(subscription: any Subscription) {
        self.subscription = subscription
        if atFirst > .none { subscription.request(atFirst) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        values.append(input)
        onValue(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        completions.append(completion)
    }

    func ask(for demand: Subscribers.Demand) {
        subscription?.request(demand)
    }

    func cancel() {
        subscription?.cancel()
    }
}

/// What goes wrong in these tests.
struct Mishap: Error, Equatable {}

extension TestSubscriber {
    var hasFinished: Bool {
        guard completions.count == 1, case .finished? = completions.first else { return false }
        return true
    }

    var hasFailed: Bool {
        guard completions.count == 1, case .failure? = completions.first else { return false }
        return true
    }
}
