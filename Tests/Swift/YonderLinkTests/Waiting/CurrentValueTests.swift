import Testing

@testable import YonderLink

@Suite(.timeLimit(.minutes(20))) struct CurrentValueTests {
    @Test func `a reader reads the value of now, and then the newest change`() async {
        let value = CurrentValue(1)
        var reader = value.stream.makeAsyncIterator()
        #expect(await reader.next() == 1)
        value.set(2)
        value.set(3)
        #expect(await reader.next() == 3 && value.current == 3)
    }

    @Test func `readers that have ended are forgotten`() {
        let value = CurrentValue(1)
        let kept = value.stream
        for _ in 0..<100 { _ = value.stream }
        #expect(value.readerCount == 1)
        withExtendedLifetime(kept) {}
    }

    /// A canceled task holds a lock while its readers end, and to resume it takes the same lock.
    @Test func `readers are canceled while the value changes, and neither waits for the other`() async {
        let value = CurrentValue(0)
        for round in 1...2_000 {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask { for await _ in value.stream {} }
                }
                for step in 0..<4 { group.addTask { value.set(round * 10 + step) } }
                group.cancelAll()
            }
        }
        #expect(value.current >= 20_000)
    }
}
