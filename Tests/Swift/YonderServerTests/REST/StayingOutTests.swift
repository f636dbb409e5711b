import HTTPTypes
import Testing
import YonderModel
import YonderServer

@Suite struct StayingOutTests {
    @Test func `a user stays out of a group until taking it back`() async throws {
        let server = try await TestServer()
        try await server.party("Ada", "Ben") { callers in
            let ben = try #require(callers[1].user)
            let chat = try await callers[0].startChat(with: callers[1])
            let path = "/v1/chats/\(chat)"
            let subject = try await callers[0].call(.patch, path, #"{"subject":"Walk"}"#)
            #expect(subject.status == 200)
            let body = #"{"stayOut":"yes"}"#
            #expect(
                try await callers[1].call(.delete, path + "/participants/me", body).code == "invalidField"
            )
            let left = try await callers[1].call(.delete, path + "/participants/me", #"{"stayOut":true}"#)
            #expect(left.status == 200 && left.integer("number") == 2)
            let users = #"{"users":["\#(ben)"]}"#
            #expect(try await callers[0].post(path + "/participants", users).code == "notAllowed")
            let listed = try await callers[1].get("/v1/me/stays-out")
            #expect(listed.text == #"{"chats":[{"id":"\#(chat)","subject":"Walk"}]}"#)
            #expect(try await callers[0].get("/v1/me/stays-out").list("chats").isEmpty)
            for _ in 0..<2 {
                #expect(try await callers[1].call(.delete, "/v1/me/stays-out/\(chat)").status == 204)
            }
            #expect(try await callers[1].get("/v1/me/stays-out").list("chats").isEmpty)
            #expect(try await callers[0].post(path + "/participants", users).status == 201)
        }
    }

    @Test func `staying out is for groups that the caller was in`() async throws {
        let server = try await TestServer()
        try await server.party("Ada", "Ben", "Cleo") { callers in
            let ben = try #require(callers[1].user)
            let pair = try await callers[0].post("/v1/chats", #"{"invitees":["\#(ben)"],"oneToOne":true}"#)
            let chat = try #require(pair.object("chat")["id"] as? String)
            let left = try await callers[1].call(
                .delete,
                "/v1/chats/\(chat)/participants/me",
                #"{"stayOut":true}"#
            )
            #expect(left.code == "invalidField")
            #expect(try await callers[2].call(.delete, "/v1/me/stays-out/\(chat)").code == "unknownChat")
            #expect(try await callers[2].call(.delete, "/v1/me/stays-out/x").code == "unknownChat")
        }
    }
}
