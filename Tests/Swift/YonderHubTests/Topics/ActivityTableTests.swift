import Testing
import YonderGeodesy
import YonderModel

@testable import YonderHub

@Suite struct ActivityTableTests {
    @Test func `the activity of a round is its latest time, whatever the order of the messages`() {
        let chat = ChatID.random()
        let time = Timestamp(milliseconds: 1_764_000_000_000)
        var later = ChatActivity(chat: chat, active: time + .seconds(5))
        later.merge(ChatActivity(chat: chat, active: time + .seconds(3)))
        later.merge(ChatActivity(chat: chat, written: 2))
        #expect(later.active == time + .seconds(5))
    }
}
