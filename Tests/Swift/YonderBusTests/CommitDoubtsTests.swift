import Testing

@testable import YonderBus

@Suite struct CommitDoubtsTests {
    @Test func `a doubt has lists read at once, and twice later, as the commit may still wait for a standby`()
    {
        let (doubts, start) = (CommitDoubts(), ContinuousClock.now)
        #expect(!doubts.takeDue(at: start))
        doubts.note(at: start)
        #expect(!doubts.takeDue(at: start - .seconds(1)), "what was asked before says nothing")
        let due = [0, 3, 30, 33, 120, 123].map { doubts.takeDue(at: start + .seconds($0)) }
        #expect(due == [true, false, true, false, true, false])
    }
}
