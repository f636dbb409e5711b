import HTTPTypes
import TestSupport
import Testing
import YonderAccounts
import YonderModel
import YonderRules

/// A token isn't an account: what signs people in is changed in a session.
@Suite struct TokenTests {
    @Test(arguments: [
        (HTTPRequest.Method.put, "/v1/me/password", #"{"password":"a new password"}"#),
        (.put, "/v1/me/password", #"{"password":"a new password","current":"a new password"}"#),
        (.patch, "/v1/me", #"{"email":"thief@example.org"}"#), (.patch, "/v1/me", #"{"email":null}"#),
        (.post, "/v1/tokens", #"{"may":"accounts"}"#),
        (.post, "/v1/users", #"{"name":"Cleo"}"#), (.patch, "/v1/users/OTHER", #"{"name":"B"}"#),
        (.patch, "/v1/users/OTHER", #"{"email":"thief@example.org"}"#),
        (.delete, "/v1/users/OTHER", "{}"), (.post, "/v1/users/OTHER/links", "{}"),
        (.put, "/v1/users/OTHER/password", #"{"password":"a new password"}"#),
        (.put, "/v1/users/OTHER/password", #"{"password":null}"#),
    ])
    func `an operator's usual token changes nothing that signs people in`(
        method: HTTPRequest.Method,
        path: String,
        body: String
    ) async throws {
        let server = try await TestServer()
        try await server.party("Owner", "Ada") { callers in
            let other = try #require(callers[1].user)
            let path = path.replacing("OTHER", with: "\(other)")
            let (before, count) = (try await server.store.account(other), try await Self.people(callers[0]))
            let own = try await server.store.account(try #require(callers[0].user))
            let reply = try await callers[0].call(method, path, body)
            #expect(reply.status == 403 && reply.code == "notAllowed", "\(reply.text)")
            #expect(try await server.store.account(other) == before)
            #expect(try await server.store.account(own.user.id) == own)
            #expect(try await server.store.credentials(of: other).map(\.kind) == [.token])
            #expect(try await Self.people(callers[0]) == count)
        }
    }

    private static func people(_ operating: Caller) async throws -> Int {
        try await operating.get("/v1/users").list("users").count
    }

    @Test func `a token for accounts changes other people's accounts and may do nothing else`() async throws {
        let server = try await TestServer()
        try await server.party("Owner", "Ada") { callers in
            let owner = try await callers[0].signedIn()
            let made = try await owner.post("/v1/tokens", #"{"label":"joiner","may":"accounts"}"#)
            let token = callers[0].bearing(try #require(made.string("token")))
            let one = "/v1/users/\(try #require(callers[1].user))"
            #expect(try await token.get("/v1/users").list("users").count == 2)
            #expect(try await token.get(one).status == 200)
            #expect(try await token.post("/v1/users", #"{"name":"Cleo"}"#).status == 201)
            #expect(try await token.call(.patch, one, #"{"login":"ada"}"#).status == 200)
            #expect(try await token.post(one + "/links").status == 201)
            #expect(
                try await token.call(.put, one + "/password", #"{"password":"a new password"}"#).status == 204
            )
            let own = "/v1/users/\(try #require(callers[0].user))"
            for (method, path, body) in [
                (HTTPRequest.Method.post, own + "/links", "{}"), (.patch, own, #"{"login":"thief"}"#),
                (.put, own + "/password", #"{"password":"a new password"}"#), (.delete, own, "{}"),
            ] {
                #expect(try await token.call(method, path, body).code == "notAllowed", "\(method) \(path)")
            }
            // Also in a session the owner's e-mail address is changed where the password is asked for.
            let address = #"{"email":"o@example.org"}"#
            #expect(try await owner.call(.patch, own, address).code == "notAllowed")
            let others: [(HTTPRequest.Method, String)] = [
                (.get, "/v1/session"), (.get, "/v1/me"), (.get, "/v1/me/sessions"), (.get, "/v1/tokens"),
                (.post, "/v1/tokens"), (.get, "/v1/chats"), (.get, "/v1/contacts"), (.get, "/v1/entities"),
                (.get, "/v1/keys"), (.get, one + "/sessions"),
                (.delete, one + "/sessions"),
                (.put, "/v1/me/password"), (.post, "/v1/invitations"),
            ]
            for (method, path) in others {
                let reply = try await token.call(method, path, method == .get ? nil : "{}")
                #expect(reply.code == "notAllowed", "\(method) \(path): \(reply.text)")
            }
            #expect(try await token.call(.delete, one, "{}").status == 204)

            // The list of tokens says what the token may do, and removing it ends it.
            let listed = try await owner.get("/v1/tokens").list("tokens")
            let managing = try #require(listed.first { $0["may"] as? String == "accounts" })
            #expect(managing["label"] as? String == "joiner")
            let id = try #require(managing["id"] as? String)
            #expect(try await owner.call(.delete, "/v1/tokens/\(id)").status == 204)
            #expect(try await token.get("/v1/users").code == "invalidCredentials")
        }
    }

    @Test func `a token for accounts is an operator's, made in a session`() async throws {
        let server = try await TestServer()
        try await server.party("Owner", "Ada") { callers in
            let wish = #"{"may":"accounts"}"#
            #expect(try await callers[1].signedIn().post("/v1/tokens", wish).code == "notAllowed")
            let owner = try await callers[0].signedIn()
            #expect(try await owner.post("/v1/tokens", #"{"may":"all"}"#).code == "invalidField")
            let token = callers[0].bearing(
                try #require(try await owner.post("/v1/tokens", wish).string("token"))
            )
            #expect(try await token.get("/v1/users").status == 200)
            // The token of a user who is no operator any more is refused.
            let ada = "/v1/users/\(try #require(callers[1].user))"
            #expect(try await owner.call(.patch, ada, #"{"operator":true}"#).status == 200)
            let own = "/v1/users/\(try #require(callers[0].user))"
            let patch = #"{"operator":false}"#
            #expect(try await callers[1].signedIn().call(.patch, own, patch).status == 200)
            #expect(try await token.get("/v1/users").code == "notAllowed")
        }
    }

    @Test func `the password is asked for before an e-mail address is changed`() async throws {
        let server = try await TestServer()
        try await server.party("Owner") { callers in
            let owner = try await callers[0].signedIn()
            #expect(try await owner.get("/v1/session").json["password"] as? Bool == false)
            let address = #""email":"o@example.org""#
            #expect(try await owner.call(.patch, "/v1/me", "{\(address)}").status == 200)
            // A current password, where there is none, isn't taken for right.
            let body = #"{"password":"correct horse","current":"any"}"#
            #expect(try await owner.call(.put, "/v1/me/password", body).code == "invalidField")
            let first = #"{"password":"correct horse"}"#
            #expect(try await owner.call(.put, "/v1/me/password", first).status == 204)
            #expect(try await owner.get("/v1/session").json["password"] as? Bool == true)
            for current in ["", #","current":"wrong horse""#] {
                let reply = try await owner.call(.patch, "/v1/me", "{\"email\":null\(current)}")
                #expect(reply.code == "invalidCredentials", "\(reply.text)")
                let token = try await owner.post("/v1/tokens", "{\"may\":\"accounts\"\(current)}")
                #expect(token.code == "invalidCredentials", "\(token.text)")
            }
            #expect(try await owner.call(.patch, "/v1/me", #"{"name":"O"}"#).status == 200)
            let right = #"{"email":null,"current":"correct horse"}"#
            #expect(try await owner.call(.patch, "/v1/me", right).object("user")["email"] == nil)
        }
    }

    @Test func `a person sees what was changed of their sign-in, and by whom`() async throws {
        let server = try await TestServer()
        try await server.party("Owner", "Ada") { callers in
            let owner = try await callers[0].signedIn()
            let ada = try await callers[1].signedIn()
            let made = try await ada.get("/v1/me/sessions")
            #expect(made.list("events").isEmpty)
            let path = "/v1/users/\(try #require(callers[1].user))"
            let email = #"{"email":"a@example.org"}"#
            #expect(try await ada.call(.patch, "/v1/me", email).status == 200)
            server.wait(.seconds(1))
            let patch = #"{"login":"ada","email":"b@example.org","name":"A."}"#
            #expect(try await owner.call(.patch, path, patch).status == 200)
            // The same values again change nothing.
            server.wait(.seconds(1))
            #expect(try await owner.call(.patch, path, patch).status == 200)
            #expect(try await owner.post(path + "/links").status == 201)
            let events = try await ada.get("/v1/me/sessions").list("events")
            #expect(events.map { $0["change"] as? String } == ["link", "email", "login", "email"])
            #expect(events.map { $0["by"] as? String } == ["operator", "operator", "operator", "user"])
            #expect(events.allSatisfy { $0["network"] as? String == "local" && $0["time"] is Int })
        }
    }

    @Test func `all other sessions are ended at once, and tokens if asked`() async throws {
        let server = try await TestServer()
        try await server.party("Owner") { callers in
            let (here, there) = (try await callers[0].signedIn(), try await callers[0].signedIn())
            #expect(try await here.call(.delete, "/v1/me/sessions", "{}").status == 204)
            #expect(try await there.get("/v1/session").status == 401)
            #expect(try await callers[0].get("/v1/session").status == 200)
            #expect(try await here.call(.delete, "/v1/me/sessions", #"{"tokens":true}"#).status == 204)
            #expect(try await callers[0].get("/v1/session").code == "invalidCredentials")
            #expect(try await here.get("/v1/session").status == 200)
        }
    }
}
