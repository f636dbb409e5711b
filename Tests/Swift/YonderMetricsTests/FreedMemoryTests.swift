import Testing

@testable import YonderMetrics

@Suite struct FreedMemoryTests {
    @Test("freed memory is given back once there is more than the slack above the least")
    func least() {
        var memory = FreedMemory()
        let slack = FreedMemory.slack
        let resident = [100 << 20, (100 << 20) + slack, (100 << 20) + slack + 1, 50 << 20, 100 << 20]
        // Less than before is the new least.
        #expect(resident.map { memory.isMuch($0) } == [false, false, true, false, true])
    }
}
