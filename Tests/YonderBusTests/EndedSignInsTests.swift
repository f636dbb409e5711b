import Testing
import YonderModel

@testable import YonderBus

@Suite struct EndedSignInsTests {
    @Test func `a credential that ended a moment ago is known, and forgotten later`() throws {
        let (ended, start) = (EndedSignIns(), ContinuousClock.now)
        let first = try #require(SecretHash(Array(repeating: 1, count: 32)))
        let second = try #require(SecretHash(Array(repeating: 2, count: 32)))
        ended.insert([first], at: start)
        #expect(ended.contains(first) && !ended.contains(second))
        ended.insert([second], at: start + .seconds(11))
        #expect(!ended.contains(first) && ended.contains(second))
    }
}
