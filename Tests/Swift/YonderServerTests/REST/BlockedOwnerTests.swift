import HTTPTypes
import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderServer

/// Leaving the groups of a blocked user.
@Suite struct BlockedOwnerTests {
    /// Starts groups of `owner` with `user` by the store alone.
    private func groups(_ count: Int, of owner: UserID, with user: UserID, in store: MemoryStore) async throws
        -> [ChatID]
    {
        var groups: [ChatID] = []
        for number in 0..<count {
            let wish = ChatStart(creator: owner, invitees: [user], subject: "\(number)")
            groups.append(
                try await store.start(wish, at: Timestamp(milliseconds: 1_764_000_000_000)).chat.id
            )
        }
        return groups
    }

    @Test func `a block leaves 300 groups of the blocked user in two requests, and the caller stays out`()
        async throws
    {
        let store = MemoryStore()
        let server = try await TestServer(store: store)
        try await server.party("Ada", "Ben", "Cleo") { callers in
            let (ada, ben) = (try #require(callers[0].user), try #require(callers[1].user))
            let pair = try await callers[0].post("/v1/chats", #"{"invitees":["\#(ben)"],"oneToOne":true}"#)
            let kept = try await callers[1].startChat(with: callers[0])
            let groups = try await groups(300, of: ada, with: ben, in: store)
            let body = #"{"leave":true,"stayOut":true}"#
            let first = try await callers[1].call(.put, "/v1/blocks/\(ada)", body)
            #expect(first.status == 200 && first.text == #"{"left":256,"more":true}"#)
            let second = try await callers[1].call(.put, "/v1/blocks/\(ada)", body)
            #expect(second.text == #"{"left":44,"more":false}"#)
            let third = try await callers[1].call(.put, "/v1/blocks/\(ada)", body)
            #expect(third.text == #"{"left":0,"more":false}"#)
            let left = Set(try await store.lastNumbers(of: ben).keys.map(\.description))
            #expect(left == [kept, try #require(pair.object("chat")["id"] as? String)])
            #expect(try await store.leftGroups(of: ben, limit: 1_000).count == 300)
            #expect(try await store.leftGroups(of: ada, limit: 1).isEmpty)
            let log = try store.log(of: groups[0])
            #expect(log.messages.map(\.tag) == [.leave] && log.messages[0].sender == ben)
        }
    }

    @Test func `a block leaves no group unless the request says so`() async throws {
        let store = MemoryStore()
        let server = try await TestServer(store: store)
        try await server.party("Ada", "Ben") { callers in
            let (ada, ben) = (try #require(callers[0].user), try #require(callers[1].user))
            let group = try await groups(1, of: ada, with: ben, in: store)[0]
            let path = "/v1/blocks/\(ada)"
            for body in [#"{"stayOut":true}"#, #"{"leave":1}"#, #"{"leave":false,"stayOut":true}"#] {
                #expect(try await callers[1].call(.put, path, body).code == "invalidField")
            }
            #expect(try await callers[1].get("/v1/blocks").list("blocks").isEmpty)
            #expect(try await callers[1].call(.put, path).status == 204)
            #expect(try await callers[1].call(.put, path, #"{"leave":false}"#).status == 204)
            #expect(try await store.lastNumbers(of: ben).keys.map(\.self) == [group])
            let left = try await callers[1].call(.put, path, #"{"leave":true}"#)
            #expect(left.text == #"{"left":1,"more":false}"#)
            #expect(try await store.lastNumbers(of: ben).isEmpty)
            #expect(try await store.leftGroups(of: ben, limit: 1).isEmpty)
        }
    }
}
