import TestSupport
import HTTPTypes
import Testing
import YonderAccounts
import YonderGeodesy
import YonderModel
import YonderRules
import YonderServer

@Suite struct PeopleTests {
    @Test func `an invitation makes two people contacts, once`() async throws {
        let server = try await TestServer()
        try await server.run { nobody in
            let accounts = server.assembly.accounts
            let ada = try await accounts.create(Profile(name: "Ada"), under: .server)
            let ben = try await accounts.create(Profile(name: "Ben"), under: .server)
            let inviting = nobody.bearing(try await accounts.makeToken("", for: ada.id, under: .server).text)
            let accepting = nobody.bearing(try await accounts.makeToken("", for: ben.id, under: .server).text)
            let made = try await inviting.post("/v1/invitations")
            #expect(
                made.status == 201 && made.string("url")?.hasPrefix("http://localhost/#invitation=") == true
            )
            let body = #"{"invitation":"\#(try made.secret("url"))"}"#

            #expect(
                try await nobody.post("/v1/invitations/view", body).object("from")["name"] as? String == "Ada"
            )
            #expect(try await inviting.post("/v1/invitations/accept", body).code == "invitationUsed")
            let accepted = try await accepting.post("/v1/invitations/accept", body)
            #expect(accepted.status == 200 && accepted.object("contact")["name"] as? String == "Ada")
            let again = try await accepting.post("/v1/invitations/accept", body)
            #expect(again.status == 410 && again.code == "invitationUsed")
            #expect(try await nobody.post("/v1/invitations/view", body).code == "invitationUsed")
            #expect(
                try await inviting.get("/v1/contacts").list("contacts").map { $0["name"] as? String } == [
                    "Ben"
                ]
            )
        }
    }

    @Test func `a blocked person is told nothing, and is a stranger to whoever blocks`() async throws {
        let server = try await TestServer()
        try await server.party("Ada", "Ben") { callers in
            let (ada, ben) = (try #require(callers[0].user), try #require(callers[1].user))
            let pair = try await callers[0].post("/v1/chats", #"{"invitees":["\#(ben)"],"oneToOne":true}"#)
            let path = "/v1/chats/" + (try #require(pair.object("chat")["id"] as? String))
            #expect(try await callers[1].call(.put, "/v1/blocks/\(ada)").status == 204)
            #expect(
                try await callers[1].get("/v1/blocks").list("blocks").map { $0["id"] as? String } == [
                    "\(ada)"
                ]
            )
            #expect(try await callers[0].get("/v1/blocks").list("blocks").isEmpty)
            for caller in callers { #expect(try await caller.get("/v1/contacts").list("contacts").isEmpty) }
            let body = #"{"tag":"Text","content":"hi"}"#
            for caller in callers {
                #expect(try await caller.post(path + "/messages", body).code == "closedChat")
            }
            let stranger = try await callers[0].post("/v1/chats", #"{"invitees":["4711"]}"#)
            let blocked = try await callers[0].post("/v1/chats", #"{"invitees":["\#(ben)"]}"#)
            #expect(blocked.status == stranger.status && blocked.code == stranger.code)
            #expect(blocked.text == stranger.text.replacing("4711", with: "\(ben)"))
            #expect(try await callers[1].call(.delete, "/v1/blocks/\(ada)").status == 204)
            #expect(try await callers[0].post(path + "/messages", body).status == 201)
            #expect(try await callers[1].call(.put, "/v1/blocks/\(ben)").code == "unknownUser")
        }
    }

    @Test
    func `a person is known to their contacts and to those in a chat with them now, and to nobody else`()
        async throws
    {
        let server = try await TestServer()
        try await server.party("Ada", "Ben") { callers in
            let (ada, ben) = (try #require(callers[0].user), try #require(callers[1].user))
            let accounts = server.assembly.accounts
            let cleo = try await accounts.create(
                Profile(name: "Cleo", email: "cleo@example.org"),
                under: .server
            )
            let stranger = callers[0].bearing(
                try await accounts.makeToken("", for: cleo.id, under: .server).text
            )
            #expect(try await callers[0].get("/v1/people/\(ada)").object("user")["name"] as? String == "Ada")
            #expect(try await callers[0].get("/v1/people/\(ben)").object("user")["name"] as? String == "Ben")
            let refused = try await stranger.get("/v1/people/\(ben)")
            let missing = try await stranger.get("/v1/people/4711")
            #expect(refused.status == 404 && refused.code == "unknownUser" && refused.text == missing.text)
            #expect(try await stranger.get("/v1/people/no-id").code == "unknownUser")

            // A pair that is no longer in contact still has its chat.
            let pair = try await callers[0].post("/v1/chats", #"{"invitees":["\#(ben)"],"oneToOne":true}"#)
            #expect(pair.status == 201)
            #expect(try await callers[0].call(.delete, "/v1/contacts/\(ben)").status == 204)
            #expect(try await callers[0].get("/v1/people/\(ben)").status == 200)
            // Across a block only a group counts.
            #expect(try await callers[1].call(.put, "/v1/blocks/\(ada)").status == 204)
            for (caller, other) in [(callers[0], ben), (callers[1], ada)] {
                #expect(try await caller.get("/v1/people/\(other)").text == missing.text)
            }
            try await accounts.store.connect(ada, cleo.id)
            try await accounts.store.connect(ben, cleo.id)
            let invitees = #"{"invitees":["\#(ada)","\#(ben)"]}"#
            let group = try #require(
                try await stranger.post("/v1/chats", invitees).object("chat")["id"] as? String
            )
            #expect(try await callers[0].get("/v1/people/\(ben)").object("user")["name"] as? String == "Ben")
            let left = try await callers[1].call(.delete, "/v1/chats/\(group)/participants/me")
            #expect(left.status < 300)
            #expect(try await callers[0].get("/v1/people/\(ben)").text == missing.text)
        }
    }

    @Test func `a contact is removed, and a hue chosen that is seen in chats`() async throws {
        let server = try await TestServer()
        try await server.party("Ada", "Ben") { callers in
            let ben = try #require(callers[1].user)
            let path = "/v1/chats/" + (try await callers[0].startChat(with: callers[1]))
            #expect(
                try await callers[1].call(.patch, "/v1/me", #"{"hue":300}"#).object("user")["hue"] as? Int
                    == 300
            )
            let people = try await callers[0].get(path).object("chat")["participants"] as? [[String: Any]]
            #expect(people?.last?["hue"] as? Int == 300)
            #expect(try await callers[0].get("/v1/contacts").list("contacts").first?["hue"] as? Int == 300)
            for hue in ["25", "360", "-1", "1.5"] {
                #expect(
                    try await callers[1].call(.patch, "/v1/me", #"{"hue":\#(hue)}"#).code == "invalidField"
                )
            }
            #expect(try await callers[0].call(.delete, "/v1/contacts/\(ben)").status == 204)
            for caller in callers { #expect(try await caller.get("/v1/contacts").list("contacts").isEmpty) }
        }
    }

    @Test func `an invitation gives a visitor an account, and signs them in`() async throws {
        let server = try await TestServer()
        try await server.party("Ada") { callers in
            let body = try await callers[0].post("/v1/invitations").secret("url")
            let nobody = Caller(server: server, client: callers[0].client)
            let nameless = try await nobody.post("/v1/invitations/accept", #"{"invitation":"\#(body)"}"#)
            #expect(nameless.code == "missingField")
            let reply = try await nobody.post(
                "/v1/invitations/accept",
                #"{"invitation":"\#(body)","name":"Cleo"}"#
            )
            #expect(reply.status == 201 && reply.object("contact")["name"] as? String == "Ada")
            let cleo = reply.signingIn(nobody)
            #expect(try await cleo.get("/v1/me").object("user")["name"] as? String == "Cleo")
            #expect(try await cleo.get("/v1/contacts").list("contacts").count == 1)
        }
    }

    @Test func `an invitation is good for a week`() async throws {
        let server = try await TestServer()
        try await server.party("Ada") { callers in
            let secret = try await callers[0].post("/v1/invitations").secret("url")
            server.wait(.seconds(7 * 86_400))
            let reply = try await callers[0].post("/v1/invitations/view", #"{"invitation":"\#(secret)"}"#)
            #expect(reply.code == "invitationUsed")
        }
    }

    @Test func `a profile changes field by field, and null removes`() async throws {
        let server = try await TestServer()
        try await server.party("Ada") { callers in
            let ada = try await callers[0].signedIn()
            let set = try await ada.call(.patch, "/v1/me", #"{"email":"ada@example.org","avatar":"/a.png"}"#)
            #expect(set.object("user")["email"] as? String == "ada@example.org")
            #expect(set.object("user")["name"] as? String == "Ada")
            let removed = try await ada.call(.patch, "/v1/me", #"{"email":null,"name":"Ada L."}"#)
            #expect(removed.object("user")["email"] == nil)
            #expect(removed.object("user")["avatar"] as? String == "/a.png")
            for body in [
                #"{"name":""}"#, #"{"name":null}"#, #"{"email":"x"}"#, #"{"avatar":"javascript:1"}"#,
            ] {
                #expect(try await ada.call(.patch, "/v1/me", body).code == "invalidField")
            }
            #expect(try await ada.call(.patch, "/v1/me", #"{"id":"1"}"#).code == "unknownField")
        }
    }

    @Test func `the operator adds people, others don't`() async throws {
        let server = try await TestServer()
        try await server.party("Ada", "Ben") { callers in
            let owner = try await callers[0].signedIn()
            let made = try await owner.post("/v1/users", #"{"name":"Cleo","login":"cleo"}"#)
            #expect(made.status == 201)
            let cleo = try await Caller(server: server, client: callers[0].client)
                .redeem(try made.secret("link"))
            #expect(try await cleo.get("/v1/session").string("login") == "cleo")
            #expect(
                try await owner.post("/v1/users", #"{"name":"C","login":"cleo"}"#).code == "nameTaken"
            )
            #expect(
                try await owner.post("/v1/users", #"{"name":"C","login":"C!"}"#).code == "invalidField"
            )
            #expect(try await callers[0].get("/v1/users").list("users").count == 3)
            #expect(try await callers[0].get("/v1/users?limit=1").list("users").count == 1)
            #expect(try await callers[1].post("/v1/users", #"{"name":"D"}"#).code == "notAllowed")
            #expect(try await cleo.get("/v1/contacts").list("contacts").isEmpty)
            let dan = #"{"name":"Dan","contact":"\#(try #require(callers[1].user))"}"#
            #expect(try await owner.post("/v1/users", dan).status == 201)
            let contacts = try await callers[1].get("/v1/contacts").list("contacts")
            #expect(contacts.contains { $0["name"] as? String == "Dan" })
            #expect(
                try await owner.post("/v1/users", #"{"name":"E","contact":"1"}"#).code == "unknownUser"
            )
            #expect(try await callers[1].get("/v1/users").status == 403)
        }
    }

    @Test func `a new owner gets a link until it was used`() async throws {
        let server = try await TestServer()
        let accounts = server.assembly.accounts
        _ = try #require(try await accounts.linkForNewOwner())
        let second = try #require(try await accounts.linkForNewOwner()).text
        try await server.run { nobody in
            _ = try await nobody.redeem(second)
            let third = try await accounts.linkForNewOwner()
            #expect(third?.text == nil)
            #expect(try await accounts.store.accounts(after: nil, limit: 10).count == 1)
        }
    }
}
