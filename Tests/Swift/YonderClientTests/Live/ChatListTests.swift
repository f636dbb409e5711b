import Testing
import YonderGeodesy
import YonderModel
import YonderWire

@testable import YonderClient

@Suite struct ChatListTests {
    @Test func `a message that is older than the one before it doesn't set a chat's activity back`() {
        let chat = Chat(
            id: Sample.chat,
            isOneToOne: false,
            subject: "",
            participants: [],
            created: Sample.time
        )
        var list = ChatList()
        _ = list.apply(.chats(id: 1, topic: 1, isCurrent: true, next: nil, [NamedChat(chat, users: [:])]))
        for seconds in [5, 3] {
            let active = Sample.time + .seconds(seconds)
            _ = list.apply(.activity(topic: 1, ChatActivity(chat: Sample.chat, active: active)))
        }
        _ = list.apply(.chat(topic: 1, NamedChat(chat, users: [:])))
        #expect(list.snapshot.map(\.chat.active) == [Sample.time + .seconds(5)])
    }
}
