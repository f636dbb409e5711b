import Testing
import YonderGeodesy
import YonderModel

struct MessageTests {
    private let chat = ChatID.random()
    private let ada = UserID.random()
    private let bob = UserID.random()

    private func message(_ number: Int64, _ tag: MessageTag, by sender: UserID, at time: Int64 = 0) -> Message
    {
        Message(chat: chat, number: number, sender: sender, tag: tag, time: Timestamp(milliseconds: time))
    }

    @Test(arguments: ["[]", "1", "", "{", #"{"a":1}x"#, #"{"a":1,"a":1}"#, "null"])
    func `data is one object or nothing`(json: String) {
        #expect(throws: SharingError.self) { try MessageData(Array(json.utf8)) }
    }

    @Test func `data is kept byte for byte`() throws {
        let json = #"{ "b":1.0,  "a":"\u00e9" }"#
        #expect(try MessageData(Array(json.utf8)).json == json)
    }

    @Test func `conditions are joined by and`() {
        let query = MessageQuery(
            chat: chat,
            tag: .location,
            sender: ada,
            from: Timestamp(milliseconds: 10),
            to: Timestamp(milliseconds: 20)
        )
        #expect(query.matches(message(1, .location, by: ada, at: 10)))
        #expect(!query.matches(message(1, .location, by: ada, at: 20)))
        #expect(!query.matches(message(1, .location, by: ada, at: 9)))
        #expect(!query.matches(message(1, .location, by: bob, at: 10)))
        #expect(!query.matches(message(1, .text, by: ada, at: 10)))
    }

    @Test func `a Recall concerns whoever goes on, and is in no fresh answer that didn't ask for it`() {
        let recall = message(5, .recall, by: bob)
        var query = MessageQuery(chat: chat, tag: .location)
        #expect(query.filter.matches(recall) && !query.filter.selects(recall) && !query.matches(recall))
        query.since = 4
        #expect(query.matches(recall))
        query.since = 5
        #expect(!query.matches(recall))
    }

    @Test(arguments: [
        ("", false), ("Text", true), ("a b", false), ("é", false), ("a\"b", false), ("a\\b", false),
    ])
    func `a tag is visible ASCII without quotes and backslashes`(text: String, isValid: Bool) {
        #expect((MessageTag(text) != nil) == isValid)
        #expect(MessageTag(String(repeating: "t", count: 64)) != nil)
        #expect(MessageTag(String(repeating: "t", count: 65)) == nil)
    }

    @Test func `only the server writes the log's own tags`() throws {
        for tag in [MessageTag.join, .leave, .subject, .recall] {
            #expect(throws: SharingError.self) { try MessageDraft(tag: tag).check() }
        }
        try MessageDraft(tag: .location).check()
    }

    @Test func `a message is as large as content and data together`() throws {
        let data = MessageData.recall(of: 1)
        let room = Message.byteLimit - data.bytes.count
        try MessageDraft(tag: .text, content: String(repeating: "é", count: room / 2), data: data).check()
        #expect(throws: SharingError.self) {
            try MessageDraft(tag: .text, content: String(repeating: "x", count: room + 1), data: data).check()
        }
    }

    @Test func `joining and leaving change presence once`() {
        var presence = Presence(chat: chat)
        #expect(presence.set(ada, online: true) && !presence.set(ada, online: true))
        #expect(presence.online == [ada])
        #expect(presence.set(ada, online: false) && !presence.set(ada, online: false))
    }
}
