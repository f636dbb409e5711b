import Testing

@testable import YonderHub

@Suite struct StateTopicsTests {
    @Test func `a key has one topic, and only a new one draws a number`() {
        let topics = StateTopics<Int>()
        var drawn: Int64 = 6
        func draw() -> Int64 {
            drawn += 1
            return drawn
        }
        let (one, again, other) = (
            topics.topic(of: 1, number: draw()), topics.topic(of: 1, number: draw()),
            topics.topic(of: 2, number: draw())
        )
        #expect(one === again && one.number == 7 && other.number == 8 && topics[1] === one)
    }

    @Test func `a topic without a subscriber is removed`() {
        let topics = StateTopics<Int>()
        _ = topics.topic(of: 1, number: 7)
        topics.removeIfEmpty(2)
        #expect(!topics.isEmpty)
        topics.removeIfEmpty(1)
        #expect(topics.isEmpty && topics[1] == nil)
    }
}
