import Testing

@testable import YonderAppModels

@Suite @MainActor struct ChoresTests {
    @Test func `chores wait for a run, an equal one once, and those over the limit are dropped`() async {
        let chores = Chores<Int>()
        for number in 0..<100 { chores.add(number) }
        chores.add(3)
        let done = Done()
        let (end, ended) = AsyncStream.makeStream(of: Void.self)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await chores.run { number in
                    done.numbers.append(number)
                    if done.numbers.count == Chores<Int>.limit { ended.finish() }
                }
            }
            for await _ in end {}
            group.cancelAll()
        }
        #expect(done.numbers.sorted() == Array(0..<Chores<Int>.limit))
    }

    @Test func `a search finds the beginnings of words, without accents and case`() {
        #expect(NameSearch("eva be").finds(["Éva Beck", "eva@example.org"]))
        #expect(NameSearch("EXAMPLE").finds(["Éva Beck", "eva@example.org"]))
        #expect(!NameSearch("eck").finds(["Éva Beck"]) && NameSearch(" ").finds([]))
    }
}

@MainActor private final class Done {
    var numbers: [Int] = []
}
