import HTTPTypes
import Testing
import YonderGeodesy
import YonderModel
import YonderServer

@Suite struct PeopleTests {
    @Test func `an invitation makes two people contacts, once`() async throws {
        let server = try await TestServer()
        try await server.run { nobody in
            let accounts = server.assembly.accounts
            let ada = try await accounts.create(Profile(name: "Ada"))
            let ben = try await accounts.create(Profile(name: "Ben"))
            let inviting = nobody.bearing(try await accounts.makeToken("", for: ada.id).text)
            let accepting = nobody.bearing(try await accounts.makeToken("", for: ben.id).text)
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

    @Test func `who has no account gets one by an invitation, and is signed in`() async throws {
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
            let ada = callers[0]
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
            let made = try await callers[0].post("/v1/users", #"{"name":"Cleo","login":"cleo"}"#)
            #expect(made.status == 201)
            let cleo = try await Caller(server: server, client: callers[0].client)
                .redeem(try made.secret("link"))
            #expect(try await cleo.get("/v1/session").string("login") == "cleo")
            #expect(
                try await callers[0].post("/v1/users", #"{"name":"C","login":"cleo"}"#).code == "nameTaken"
            )
            #expect(
                try await callers[0].post("/v1/users", #"{"name":"C","login":"C!"}"#).code == "invalidField"
            )
            #expect(try await callers[0].get("/v1/users").list("users").count == 3)
            #expect(try await callers[0].get("/v1/users?limit=1").list("users").count == 1)
            #expect(try await callers[1].post("/v1/users", #"{"name":"D"}"#).code == "notAllowed")
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
