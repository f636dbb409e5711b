import Combine
import Foundation
import Testing

/// What else a suite about locations uses: that it is there, and runs on queues and in tasks.
///
/// Timers are in the foreign suite, which alone has a run loop.
@Suite(.timeLimit(.minutes(20)))
struct SchedulerTests {
    @Test func `a queue delays, and a task waits for it`() async {
        var values: [Int] = []
        for await value in Just(7).delay(for: .milliseconds(1), scheduler: DispatchQueue.main).values {
            values.append(value)
        }
        #expect(values == [7])
    }

    @Test func `a publisher that says nothing times out`() async {
        let silent = PassthroughSubject<Int, Mishap>()
        await #expect(throws: Mishap.self) {
            let timed = silent.timeout(.milliseconds(1), scheduler: DispatchQueue.main) { Mishap() }
            for try await _ in timed.values {}
        }
    }

    @Test func `a notification is published`() {
        let center = NotificationCenter()
        let name = Notification.Name("moved")
        var count = 0
        let subscription = center.publisher(for: name).sink { _ in count += 1 }
        center.post(name: name, object: nil)
        subscription.cancel()
        center.post(name: name, object: nil)
        #expect(count == 1)
    }

    @Test func `positions are zipped, shared, assigned and kept apart`() {
        final class Model: ObservableObject {
            @Published var total = 0
        }
        let model = Model()
        let subject = PassthroughSubject<Int, Never>()
        let shared = subject.removeDuplicates().share()
        let subscription = shared.zip(shared.map { $0 * 2 }).map { $0 + $1 }.assign(to: \.total, on: model)
        subject.send(1)
        subject.send(1)
        subject.send(2)
        #expect(model.total == 6)
        subscription.cancel()
    }
}
