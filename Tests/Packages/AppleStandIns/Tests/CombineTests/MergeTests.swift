import Combine
import Testing

struct MergeTests {
    let one = PassthroughSubject<Int, Mishap>()
    let two = PassthroughSubject<Int, Mishap>()

    @Test func `values come in the order in which they are sent`() {
        let subscriber = TestSubscriber<Int, Mishap>()
        Publishers.Merge(one, two).subscribe(subscriber)
        one.send(1)
        two.send(2)
        two.send(3)
        one.send(4)
        #expect(subscriber.values == [1, 2, 3, 4])
    }

    @Test func `it ends with the last of its publishers`() {
        let subscriber = TestSubscriber<Int, Mishap>()
        one.merge(with: two).subscribe(subscriber)
        one.send(completion: .finished)
        two.send(2)
        #expect(subscriber.values == [2])
        #expect(subscriber.completions.isEmpty)
        two.send(completion: .finished)
        #expect(subscriber.hasFinished)
    }

    @Test func `the first failure ends it`() {
        let subscriber = TestSubscriber<Int, Mishap>()
        one.merge(with: two).subscribe(subscriber)
        one.send(completion: .failure(Mishap()))
        two.send(2)
        two.send(completion: .finished)
        #expect(subscriber.values.isEmpty)
        #expect(subscriber.hasFailed)
    }

    @Test func `nothing comes after it is canceled`() {
        let subscriber = TestSubscriber<Int, Mishap>()
        one.merge(with: two).subscribe(subscriber)
        one.send(1)
        subscriber.cancel()
        two.send(2)
        one.send(completion: .finished)
        #expect(subscriber.values == [1])
        #expect(subscriber.completions.isEmpty)
    }

    @Test func `a value sent while one is taken is not lost`() {
        let subscriber = TestSubscriber<Int, Mishap>()
        subscriber.onValue = { [two] in if $0 == 1 { two.send(2) } }
        one.merge(with: two).subscribe(subscriber)
        one.send(1)
        #expect(subscriber.values == [1, 2])
    }

    @Test func `a published property's value and what a subject sends come together`() {
        final class Model {
            @Published var number = 0
        }
        let model = Model()
        let subject = PassthroughSubject<Int, Never>()
        let subscriber = TestSubscriber<Int, Never>()
        Publishers.Merge(model.$number, subject).dropFirst().subscribe(subscriber)
        model.number = 1
        subject.send(2)
        model.number = 3
        #expect(subscriber.values == [1, 2, 3])
    }

    @Test func `demand for a few values gets a few, and later demand gets the rest`() {
        for step in 1...4 {
            let subscriber = TestSubscriber<Int, Never>(.none)
            [1, 3, 5].publisher.merge(with: [2, 4, 6, 8].publisher).subscribe(subscriber)
            var asked = 0
            while asked < 12 {
                subscriber.ask(for: .max(step))
                asked += step
                #expect(subscriber.values.count == min(asked, 7))
            }
            #expect(subscriber.values.sorted() == [1, 2, 3, 4, 5, 6, 8])
            #expect(subscriber.values.filter { $0 % 2 == 1 } == [1, 3, 5])
            #expect(subscriber.hasFinished)
        }
    }

    @Test func `as many as eight publishers are merged`() {
        func number(_ number: Int) -> Just<Int> { Just(number) }
        let (a, b, c, d) = (number(1), number(2), number(3), number(4))
        let (e, f, g, h) = (number(5), number(6), number(7), number(8))
        var values: [[Int]] = []
        let merged: [AnyPublisher<Int, Never>] = [
            a.merge(with: b).eraseToAnyPublisher(),
            a.merge(with: b, c).eraseToAnyPublisher(),
            a.merge(with: b, c, d).eraseToAnyPublisher(),
            a.merge(with: b, c, d, e).eraseToAnyPublisher(),
            a.merge(with: b, c, d, e, f).eraseToAnyPublisher(),
            a.merge(with: b, c, d, e, f, g).eraseToAnyPublisher(),
            a.merge(with: b, c, d, e, f, g, h).eraseToAnyPublisher(),
        ]
        for publisher in merged {
            _ = publisher.collect().sink { values.append($0) }
        }
        #expect(values == (2...8).map { Array(1...$0) })
    }

    @Test func `any number of publishers are merged, also none`() {
        let subscriber = TestSubscriber<Int, Never>()
        Publishers.MergeMany([Just(1), Just(2), Just(3)]).merge(with: Just(4)).subscribe(subscriber)
        #expect(subscriber.values == [1, 2, 3, 4])
        #expect(subscriber.hasFinished)

        let nobody = TestSubscriber<Int, Never>()
        Publishers.MergeMany([Just<Int>]()).subscribe(nobody)
        #expect(nobody.values.isEmpty)
        #expect(nobody.hasFinished)
    }
}
