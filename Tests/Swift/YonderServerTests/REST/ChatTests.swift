import HTTPTypes
import Testing
import YonderGeodesy
import YonderModel

@Suite struct ChatTests {
    @Test func `a chat is started, listed and shown with its people`() async throws {
        let server = try await TestServer()
        try await server.party("Ada", "Ben", "Cleo") { callers in
            let ids = callers[1...].compactMap(\.user).map { "\"\($0)\"" }.joined(separator: ",")
            let body = #"{"invitees":[\#(ids)],"subject":"Sunday walk","key":"k"}"#
            let reply = try await callers[0].post("/v1/chats", body)
            #expect(reply.status == 201 && reply.json["existed"] as? Bool == false)
            let chat = reply.object("chat")
            #expect(chat["subject"] as? String == "Sunday walk" && chat["oneToOne"] as? Bool == false)
            let people = try #require(chat["participants"] as? [[String: Any]])
            #expect(people.map { $0["name"] as? String } == ["Ada", "Ben", "Cleo"])
            #expect(people.map { $0["color"] as? Int } == [0, 1, 2])
            #expect(people[0]["role"] as? String == "owner" && people[1]["present"] as? Bool == true)

            let again = try await callers[0].post("/v1/chats", body)
            #expect(again.status == 200 && again.json["existed"] as? Bool == true)
            let id = try #require(chat["id"] as? String)
            #expect(try await callers[2].get("/v1/chats").list("chats").map { $0["id"] as? String } == [id])
            #expect(try await callers[1].get("/v1/chats/\(id)").object("chat")["id"] as? String == id)
        }
    }

    @Test func `a chat says what is written, what the caller has read, and who else`() async throws {
        let server = try await TestServer()
        try await server.party("Ada", "Ben") { callers in
            let ben = try #require(callers[1].user)
            let made = try await callers[0].post("/v1/chats", #"{"invitees":["\#(ben)"]}"#).object("chat")
            #expect(made["written"] as? Int == 0 && made["active"] as? Int == made["created"] as? Int)
            let path = "/v1/chats/\(try #require(made["id"] as? String))"
            _ = try await callers[0].post(path + "/messages", #"{"tag":"Location","data":{}}"#)
            _ = try await callers[0].post(path + "/messages", #"{"tag":"Text","content":"hi"}"#)
            let read = try await callers[1].call(.put, path + "/read", #"{"number":2}"#)
            #expect(
                read.status == 200 && read.json["read"] as? Int == 2 && read.json["readWritten"] as? Int == 1
            )
            let chat = try await callers[0].get(path).object("chat")
            #expect(chat["written"] as? Int == 1 && chat["read"] as? Int == 0)
            #expect((chat["preview"] as? [String: Any])?["content"] as? String == "hi")
            #expect(chat["reads"] as? [String: Int] == ["\(ben)": 2])
            let off = try await callers[1].call(.patch, "/v1/me", #"{"reads":false}"#)
            #expect(off.status == 200 && off.json["reads"] as? Bool == false)
            #expect(try await callers[0].get(path).object("chat")["reads"] as? [String: Int] == [:])
            #expect(try await callers[1].get("/v1/chats").list("chats").first?["reads"] == nil)
            #expect(try await callers[1].get("/v1/me").json["reads"] as? Bool == false)
            #expect(try await callers[1].call(.put, path + "/read", #"{"number":-1}"#).code == "invalidField")
            #expect(try await callers[1].call(.put, path + "/read", "{}").code == "missingField")
        }
    }

    @Test func `an owner takes somebody out and hands the chat over`() async throws {
        let server = try await TestServer()
        try await server.party("Ada", "Ben", "Cleo") { callers in
            let (ben, cleo) = (try #require(callers[1].user), try #require(callers[2].user))
            let path = "/v1/chats/" + (try await callers[0].startChat(with: callers[1], callers[2]))
            #expect(try await callers[1].call(.delete, path + "/participants/\(cleo)").code == "notAllowed")
            #expect(try await callers[0].call(.delete, path + "/participants/x").code == "unknownUser")
            #expect(try await callers[0].call(.delete, path + "/participants/\(cleo)").status == 200)
            #expect(try await callers[2].get(path).code == "notParticipant")
            #expect(try await callers[0].call(.put, path + "/owner", #"{"user":"x"}"#).code == "invalidField")
            let handed = try await callers[0].call(.put, path + "/owner", #"{"user":"\#(ben)","key":"o"}"#)
            #expect(handed.status == 200 && handed.integer("number") == 2)
            let people = try await callers[1].get(path).object("chat")["participants"] as? [[String: Any]]
            #expect(people?.map { $0["role"] as? String } == ["member", "owner", "member"])
            #expect(try await callers[0].call(.delete, path + "/participants/me").status == 200)
        }
    }

    @Test func `a list of chats comes in pages, newest first, and goes on behind a chat that was left`()
        async throws
    {
        let server = try await TestServer()
        try await server.party("Ada", "Ben") { callers in
            var chats: [String] = []
            for _ in 0..<5 {
                server.wait(.seconds(1))
                chats.append(try await callers[0].startChat(with: callers[1]))
            }
            let whole = try await callers[1].get("/v1/chats")
            #expect(whole.list("chats").map { $0["id"] as? String } == chats.reversed())
            #expect(whole.json["next"] == nil)
            let first = try await callers[1].get("/v1/chats?limit=2")
            #expect(first.list("chats").map { $0["id"] as? String } == [chats[4], chats[3]])
            let next = try #require(first.json["next"] as? String)
            let left = try await callers[1].call(.delete, "/v1/chats/\(chats[3])/participants/me")
            #expect(left.status == 200)
            let second = try await callers[1].get("/v1/chats?limit=3&after=\(next)")
            #expect(second.list("chats").map { $0["id"] as? String } == [chats[2], chats[1], chats[0]])
            #expect(second.json["next"] == nil)
            for query in [
                "limit=0", "limit=1001", "after=", "after=7", "after=x-7", "after=-1-7",
            ] {
                #expect(try await callers[1].get("/v1/chats?\(query)").code == "invalidField", "\(query)")
            }
        }
    }

    @Test func `a one-to-one chat is there once`() async throws {
        let server = try await TestServer()
        try await server.party("Ada", "Ben") { callers in
            let ben = try #require(callers[1].user)
            let ada = try #require(callers[0].user)
            let first = try await callers[0].post("/v1/chats", #"{"invitees":["\#(ben)"],"oneToOne":true}"#)
            let second = try await callers[1].post("/v1/chats", #"{"invitees":["\#(ada)"],"oneToOne":true}"#)
            #expect(first.status == 201 && second.status == 200)
            #expect(first.object("chat")["id"] as? String == second.object("chat")["id"] as? String)
        }
    }

    @Test(arguments: [
        (#"{"invitees":[]}"#, 400, "noInvitee"), (#"{}"#, 400, "missingField"),
        (#"{"invitees":["7"]}"#, 400, "unknownInvitee"), (#"{"invitees":["x"]}"#, 400, "invalidField"),
        (#"{"invitees":[7]}"#, 400, "invalidField"), (#"{"invitees":"7"}"#, 400, "invalidField"),
        (#"{"invitees":["1","2"],"oneToOne":true}"#, 400, "oneToOne"),
        (#"{"invitees":["7"],"oneToOne":1}"#, 400, "invalidField"),
        (#"{"invitees":["7"],"more":1}"#, 400, "unknownField"),
        (#"{"invitees":["7"],"invitees":["8"]}"#, 400, "invalidJSON"),
        (#"[]"#, 400, "invalidFrame"), (#"{"invitees""#, 400, "invalidJSON"),
        ("nonsense", 400, "invalidJSON"),
        (#"{"invitees":"# + String(repeating: "[", count: 40), 400, "invalidJSON"),
    ])
    func `a chat that can't be started is refused with its reason`(
        body: String,
        status: Int,
        code: String
    ) async throws {
        let server = try await TestServer()
        try await server.party("Ada") { callers in
            let reply = try await callers[0].post("/v1/chats", body)
            #expect(reply.status == status && reply.code == code, "\(body): \(reply.text)")
            #expect(try await callers[0].get("/v1/chats").list("chats").isEmpty)
        }
    }

    @Test func `a chat looks like a missing one to other users`() async throws {
        let server = try await TestServer()
        try await server.party("Ada", "Ben", "Eve") { callers in
            let chat = try await callers[0].startChat(with: callers[1])
            let eve = callers[2]
            for path in ["", "/messages", "/messages/1", "/messages?before=5"] {
                let reply = try await eve.get("/v1/chats/\(chat)\(path)")
                #expect(reply.status == 404 && reply.code == "unknownChat")
            }
            let refusals = [
                try await eve.post("/v1/chats/\(chat)/messages", #"{"tag":"Text"}"#),
                try await eve.post("/v1/chats/\(chat)/messages", #"{"tag":"Text","keep":false}"#),
                try await eve.call(.patch, "/v1/chats/\(chat)", #"{"subject":"x"}"#),
                try await eve.post("/v1/chats/\(chat)/participants", #"{"users":["1"]}"#),
                try await eve.call(.delete, "/v1/chats/\(chat)/participants/me"),
                try await eve.call(.delete, "/v1/chats/\(chat)/messages/1"),
            ]
            #expect(refusals.allSatisfy { $0.status == 404 && $0.code == "unknownChat" })
            #expect(try await eve.get("/v1/chats/0x1").code == "unknownChat")
            #expect(try await eve.get("/v1/chats/-1").code == "unknownChat")
        }
    }

    @Test
    func
        `anybody changes a group's subject, owners alone add people, and a person who left sees nothing more`()
        async throws
    {
        let server = try await TestServer()
        try await server.party("Ada", "Ben", "Cleo") { callers in
            let chat = try await callers[0].startChat(with: callers[1])
            let cleo = try #require(callers[2].user)
            let subject = try await callers[0].call(.patch, "/v1/chats/\(chat)", #"{"subject":"Walk"}"#)
            #expect(subject.status == 200 && subject.integer("number") == 1)
            let changed = try await callers[1].call(.patch, "/v1/chats/\(chat)", #"{"subject":"x"}"#)
            #expect(changed.status == 200 && changed.integer("number") == 2)
            #expect(
                try await callers[1].post("/v1/chats/\(chat)/participants", #"{"users":["\#(cleo)"]}"#).code
                    == "notAllowed"
            )
            let added = try await callers[0].post(
                "/v1/chats/\(chat)/participants",
                #"{"users":["\#(cleo)"]}"#
            )
            #expect(added.status == 201 && added.integer("number") == 3)
            let again = try await callers[0].post(
                "/v1/chats/\(chat)/participants",
                #"{"users":["\#(cleo)"]}"#
            )
            #expect(again.status == 409 && again.code == "alreadyParticipant")
            let left = try await callers[2].call(.delete, "/v1/chats/\(chat)/participants/me")
            #expect(left.status == 200 && left.integer("number") == 4)
            #expect(try await callers[2].get("/v1/chats/\(chat)").code == "notParticipant")
            #expect(try await callers[2].get("/v1/chats/\(chat)/messages").status == 403)
            #expect(try await callers[2].get("/v1/chats").list("chats").isEmpty)
            try await checkLocking(of: chat, by: callers)
            try await checkKeeping(in: chat, by: callers)
        }
    }
}

/// The owner decides how long positions are kept: a member is refused, and a chat with the usual time says nothing of it.
private func checkKeeping(in chat: String, by callers: [Caller]) async throws {
    let path = "/v1/chats/\(chat)"
    let usual = try await callers[1].get(path).json["chat"] as? [String: Any]
    #expect(usual != nil && usual?["positions"] == nil)
    let refused = try await callers[1].call(.patch, path, #"{"positions":"day"}"#)
    #expect(refused.status == 403 && refused.code == "notAllowed")
    let wrong = try await callers[0].call(.patch, path, #"{"positions":"week"}"#)
    #expect(wrong.status == 400 && wrong.code == "invalidField")
    #expect(try await callers[0].call(.patch, path, #"{"positions":"day"}"#).status == 200)
    let chosen = try await callers[1].get(path).json["chat"] as? [String: Any]
    #expect(chosen?["positions"] as? String == "day" && chosen?["subject"] as? String == "x")
}

/// The owner locks a group's subject and unlocks it: a member's change is refused in between.
private func checkLocking(of chat: String, by callers: [Caller]) async throws {
    let path = "/v1/chats/\(chat)"
    let refused = try await callers[1].call(.patch, path, #"{"subjectLocked":true}"#)
    #expect(refused.status == 403 && refused.code == "notAllowed")
    let both = try await callers[0].call(.patch, path, #"{"subjectLocked":true,"subject":"y"}"#)
    #expect(both.status == 400 && both.code == "invalidField")
    #expect(try await callers[0].call(.patch, path, #"{"subjectLocked":true}"#).status == 200)
    let locked = try await callers[1].get(path).json["chat"] as? [String: Any]
    #expect(locked?["subjectLocked"] as? Bool == true && locked?["subject"] as? String == "x")
    let member = try await callers[1].call(.patch, path, #"{"subject":"z"}"#)
    #expect(member.status == 403 && member.code == "notAllowed")
    #expect(try await callers[0].call(.patch, path, #"{"subjectLocked":false}"#).status == 200)
    let open = try await callers[1].get(path).json["chat"] as? [String: Any]
    #expect(open != nil && open?["subjectLocked"] == nil)
}
