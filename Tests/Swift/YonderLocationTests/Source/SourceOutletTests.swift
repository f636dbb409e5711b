import Synchronization
import TestSupport
import Testing
import YonderLocation

@Suite(.timeLimit(.minutes(20))) struct SourceOutletTests {
    private static func number(of event: LocationSourceEvent) -> Int? {
        if case .failure(let error) = event { Int(error.message) } else { nil }
    }

    private static func event(_ number: Int) -> LocationSourceEvent {
        .failure(LocationError(.positionUnavailable, "\(number)"))
    }

    @Test func `an event sent from within the receiver is delivered after it has returned`() {
        let outlet = SourceOutlet()
        let steps = Recorder<String>()
        outlet.setReceiver { event in
            let number = Self.number(of: event) ?? 0
            steps.record("begin \(number)")
            if number == 1 { outlet.send(Self.event(2)) }
            steps.record("end \(number)")
        }
        outlet.send(Self.event(1))
        #expect(steps.values == ["begin 1", "end 1", "begin 2", "end 2"])
    }

    @Test func `from many threads one event is told after another, each once`() async {
        let outlet = SourceOutlet()
        let isTelling = Mutex(false)
        let told = Recorder<Int>()
        outlet.setReceiver { event in
            #expect(isTelling.withLock { !$0 })
            isTelling.withLock { $0 = true }
            told.record(Self.number(of: event) ?? 0)
            isTelling.withLock { $0 = false }
        }
        await withTaskGroup { group in
            for sender in 0..<4 {
                group.addTask {
                    for number in 0..<250 { outlet.send(Self.event(sender * 250 + number)) }
                }
            }
        }
        let numbers = await told.wait(for: 1000)
        #expect(numbers.sorted() == Array(0..<1000))
        for sender in 0..<4 {
            let own = numbers.filter { $0 / 250 == sender }
            #expect(own == own.sorted())
        }
    }
}
