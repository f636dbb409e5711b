import Combine
import Testing

struct CombineLatestTests {
    let one = PassthroughSubject<Int, Mishap>()
    let two = PassthroughSubject<String, Mishap>()

    @Test func `it waits for each, then tells the latest of all`() {
        let subscriber = TestSubscriber<String, Mishap>()
        one.combineLatest(two) { "\($0)\($1)" }.subscribe(subscriber)
        one.send(1)
        one.send(2)
        two.send("a")
        two.send("b")
        one.send(3)
        #expect(subscriber.values == ["2a", "2b", "3b"])
    }

    @Test func `it equals the latest values in every order of sending`() {
        for order in 0..<(1 << 8) {
            let subscriber = TestSubscriber<String, Mishap>()
            let (left, right) = (PassthroughSubject<Int, Mishap>(), PassthroughSubject<Int, Mishap>())
            left.combineLatest(right) { "\($0),\($1)" }.subscribe(subscriber)
            var latest: (left: Int?, right: Int?) = (nil, nil)
            var expected: [String] = []
            for step in 0..<8 {
                if order >> step & 1 == 0 {
                    latest.left = step
                    left.send(step)
                } else {
                    latest.right = step
                    right.send(step)
                }
                if let left = latest.left, let right = latest.right { expected.append("\(left),\(right)") }
            }
            #expect(subscriber.values == expected, "order \(order)")
        }
    }

    @Test func `it ends with the last of its publishers`() {
        let subscriber = TestSubscriber<String, Mishap>()
        one.combineLatest(two) { "\($0)\($1)" }.subscribe(subscriber)
        one.send(1)
        one.send(completion: .finished)
        two.send("a")
        #expect(subscriber.values == ["1a"])
        #expect(subscriber.completions.isEmpty)
        two.send(completion: .finished)
        #expect(subscriber.hasFinished)
    }

    @Test func `it ends without a value if one of them had none`() {
        let subscriber = TestSubscriber<String, Mishap>()
        one.combineLatest(two) { "\($0)\($1)" }.subscribe(subscriber)
        one.send(1)
        one.send(completion: .finished)
        two.send(completion: .finished)
        #expect(subscriber.values.isEmpty)
        #expect(subscriber.hasFinished)
    }

    @Test func `the first failure ends it`() {
        let subscriber = TestSubscriber<String, Mishap>()
        one.combineLatest(two) { "\($0)\($1)" }.subscribe(subscriber)
        one.send(1)
        two.send(completion: .failure(Mishap()))
        one.send(2)
        #expect(subscriber.values.isEmpty)
        #expect(subscriber.hasFailed)
    }

    @Test func `a slow subscriber gets the latest values`() {
        let subscriber = TestSubscriber<String, Mishap>(.max(1))
        one.combineLatest(two) { "\($0)\($1)" }.subscribe(subscriber)
        one.send(1)
        two.send("a")
        one.send(2)
        one.send(3)
        #expect(subscriber.values == ["1a"])
        subscriber.ask(for: .max(2))
        #expect(subscriber.values == ["1a", "3a"])
        two.send("b")
        #expect(subscriber.values == ["1a", "3a", "3b"])
    }

    @Test func `a waiting value is delivered before the end`() {
        let subscriber = TestSubscriber<String, Mishap>(.none)
        one.combineLatest(two) { "\($0)\($1)" }.subscribe(subscriber)
        one.send(1)
        two.send("a")
        one.send(completion: .finished)
        two.send(completion: .finished)
        #expect(subscriber.completions.isEmpty)
        subscriber.ask(for: .unlimited)
        #expect(subscriber.values == ["1a"])
        #expect(subscriber.hasFinished)
    }

    @Test func `an absent value is a value`() {
        let optional = PassthroughSubject<Int?, Mishap>()
        let subscriber = TestSubscriber<Bool, Mishap>()
        optional.combineLatest(one) { number, _ in number == nil }.subscribe(subscriber)
        one.send(1)
        optional.send(nil)
        optional.send(2)
        #expect(subscriber.values == [true, false])
    }

    @Test func `three and four are combined, too`() {
        var sums: [Int] = []
        _ = Just(1).combineLatest(Just(2), Just(3)).sink { sums.append($0 + $1 + $2) }
        _ = Just(1).combineLatest(Just(2), Just(3)) { $0 * $1 * $2 }.sink { sums.append($0) }
        _ = Just(1).combineLatest(Just(2), Just(3), Just(4)).sink { sums.append($0 + $1 + $2 + $3) }
        _ = Just(1).combineLatest(Just(2), Just(3), Just(4)) { $0 * $1 * $2 * $3 }.sink { sums.append($0) }
        #expect(sums == [6, 6, 10, 24])
    }
}
