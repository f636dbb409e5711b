import TestSupport
import HTTPTypes
import Testing
import YonderAccounts
import YonderModel
import YonderServer
import YonderRules

/// What operators do to others' accounts.
@Suite struct UserTests {
    @Test func `operators alone see who there is, and when they were last seen`() async throws {
        let server = try await TestServer()
        try await server.party("Owner", "Ada") { callers in
            #expect(try await callers[1].get("/v1/users").code == "notAllowed")
            #expect(try await callers[0].get("/v1/users").list("users").count == 2)
            let path = "/v1/users/\(try #require(callers[1].user))"
            let seen = try #require(try await callers[0].get(path).integer("lastSeen"))
            server.wait(.seconds(60))
            #expect(try await callers[1].get("/v1/session").status == 200)
            #expect(try await callers[0].get(path).integer("lastSeen") == seen + 60_000)
            // The same once the store was told.
            try await server.assembly.accounts.tidy()
            #expect(try await callers[0].get(path).integer("lastSeen") == seen + 60_000)
        }
    }

    @Test(arguments: [
        ("GET", ""), ("PATCH", ""), ("DELETE", ""), ("GET", "/sessions"), ("DELETE", "/sessions"),
        ("DELETE", "/sessions/1"), ("GET", "/tokens"), ("DELETE", "/tokens/1"), ("PUT", "/password"),
        ("POST", "/links"),
    ])
    func `others are refused, whatever they ask for`(method: String, path: String) async throws {
        let server = try await TestServer()
        try await server.party("Owner", "Ada", "Bob") { callers in
            let method = try #require(HTTPRequest.Method(method))
            let path = "/v1/users/\(try #require(callers[2].user))" + path
            #expect(try await callers[1].call(method, path, "{}").code == "notAllowed")
            #expect(
                try await Caller(server: server, client: callers[1].client).call(method, path, "{}").status
                    >= 401
            )
        }
    }

    @Test func `tokens and invitations in somebody else's name are the command line's alone`() async throws {
        let server = try await TestServer()
        try await server.party("Owner", "Ada") { callers in
            let owner = try await callers[0].signedIn()
            let path = "/v1/users/\(try #require(callers[1].user))"
            #expect(try await owner.post(path + "/tokens").code == "methodNotAllowed")
            #expect(try await owner.post(path + "/invitations").code == "notFound")
        }
    }

    @Test func `sessions and tokens are listed, and ended one by one or all at once`() async throws {
        let server = try await TestServer()
        try await server.party("Owner", "Ada") { callers in
            let owner = try await callers[0].signedIn()
            let ada = try #require(callers[1].user)
            let path = "/v1/users/\(ada)"
            var pages: [Caller] = []
            for _ in 0..<3 {
                let link = try await owner.post(path + "/links").secret("url")
                pages.append(try await callers[1].with(.authorization, nil).redeem(link))
            }
            let sessions = try await callers[0].get(path + "/sessions").list("sessions")
            #expect(sessions.count == 3 && sessions.allSatisfy { $0["current"] == nil })
            let id = try #require(try await Self.current(pages[0]))
            #expect(try await owner.call(.delete, path + "/sessions/\(id)", "{}").status == 204)
            #expect(try await pages[0].get("/v1/session").status == 401)
            #expect(try await pages[1].get("/v1/session").status == 200)
            #expect(try await owner.call(.delete, path + "/sessions/\(id)", "{}").code == "notFound")

            #expect(try await owner.call(.delete, path + "/sessions", "{}").status == 204)
            for page in pages { #expect(try await page.get("/v1/session").status == 401) }
            #expect(try await callers[1].get("/v1/session").status == 200)

            let token = try #require(
                try await callers[0].get(path + "/tokens").list("tokens").first?["id"] as? String
            )
            let other = try await server.assembly.accounts.makeToken("other", for: ada, under: .server).text
            #expect(try await owner.call(.delete, path + "/tokens/\(token)", "{}").status == 204)
            #expect(try await callers[1].get("/v1/session").code == "invalidCredentials")
            #expect(try await callers[1].bearing(other).get("/v1/session").status == 200)
            #expect(try await owner.call(.delete, path + "/sessions", #"{"tokens":true}"#).status == 204)
            #expect(try await callers[1].bearing(other).get("/v1/session").code == "invalidCredentials")
        }
    }

    private static func current(_ page: Caller) async throws -> String? {
        try await page.get("/v1/me/sessions").list("sessions")
            .first { $0["current"] as? Bool == true }?["id"] as? String
    }

    @Test func `a new password ends every session, and tokens if asked`() async throws {
        let server = try await TestServer()
        let accounts = server.assembly.accounts
        try await server.party("Owner") { callers in
            let owner = try await callers[0].signedIn()
            let ada = try await accounts.create(Profile(name: "Ada"), login: "ada", under: .server).id
            let token = callers[0].bearing(try await accounts.makeToken("", for: ada, under: .server).text)
            let page = try await callers[0].with(.authorization, nil).redeem(
                try await accounts.makeLink(for: ada, under: .server).text
            )
            let path = "/v1/users/\(ada)/password"
            let set = try await owner.call(.put, path, #"{"password":"a new password"}"#)
            #expect(set.status == 204)
            #expect(try await page.get("/v1/session").status == 401)
            #expect(try await token.get("/v1/session").status == 200)
            let good = #"{"login":"ada","password":"a new password"}"#
            #expect(try await page.with(.cookie, nil).post("/v1/session", good).status == 201)
            let again = #"{"password":null,"tokens":true}"#
            #expect(try await owner.call(.put, path, again).status == 204)
            #expect(try await token.get("/v1/session").code == "invalidCredentials")
            #expect(try await page.with(.cookie, nil).post("/v1/session", good).status == 401)
        }
    }

    @Test func `nobody signs in to a disabled account, and its tokens are good again when it is enabled`()
        async throws
    {
        let server = try await TestServer()
        let accounts = server.assembly.accounts
        try await server.party("Owner", "Ada") { callers in
            let owner = try await callers[0].signedIn()
            let ada = try #require(callers[1].user)
            let path = "/v1/users/\(ada)"
            let nobody = callers[1].with(.authorization, nil)
            let page = try await nobody.redeem(try await accounts.makeLink(for: ada, under: .server).text)
            let link = try await accounts.makeLink(for: ada, under: .server).text
            let login = #"{"login":"ada"}"#
            #expect(try await owner.call(.patch, path, login).string("login") == "ada")
            #expect(
                try await owner.call(.put, path + "/password", #"{"password":"correct horse"}"#).status
                    == 204
            )
            let disabled = try await owner.call(.patch, path, #"{"disabled":true}"#)
            #expect(disabled.json["disabled"] as? Bool == true)
            #expect(try await callers[1].get("/v1/session").code == "invalidCredentials")
            #expect(try await page.get("/v1/session").status == 401)
            #expect(
                try await nobody.post("/v1/session", #"{"link":"\#(link)"}"#).code == "invalidCredentials"
            )
            let wrong = #"{"login":"ada","password":"wrong horse"}"#
            let right = #"{"login":"ada","password":"correct horse"}"#
            #expect(try await nobody.post("/v1/session", wrong).code == "invalidCredentials")
            #expect(try await nobody.post("/v1/session", right).code == "accountDisabled")
            #expect(try await owner.post(path + "/links").code == "accountDisabled")
            #expect(try await owner.call(.patch, path, #"{"disabled":false}"#).status == 200)
            #expect(try await nobody.post("/v1/session", right).status == 201)
            #expect(try await callers[1].get("/v1/session").status == 200)
            #expect(try await page.get("/v1/session").status == 401)
        }
    }

    @Test func `operators don't lock themselves out`() async throws {
        let server = try await TestServer()
        try await server.party("Owner", "Ada") { callers in
            let owner = try await callers[0].signedIn()
            let own = "/v1/users/\(try #require(callers[0].user))"
            let requests: [(HTTPRequest.Method, String, String)] = [
                (.delete, "", "{}"), (.patch, "", #"{"disabled":true}"#),
                (.patch, "", #"{"operator":false}"#),
                (.delete, "/sessions", "{}"), (.put, "/password", #"{"password":"correct horse"}"#),
            ]
            for (method, path, body) in requests {
                #expect(try await owner.call(method, own + path, body).code == "notAllowed")
            }
            // Another operator may, while there is one left.
            let other = "/v1/users/\(try #require(callers[1].user))"
            #expect(try await owner.call(.patch, other, #"{"operator":true}"#).status == 200)
            #expect(try await callers[1].signedIn().call(.delete, own, "{}").status == 204)
            #expect(try await callers[0].get("/v1/session").code == "invalidCredentials")
        }
    }

    @Test func `one's own session can't be ended but by signing out`() async throws {
        let server = try await TestServer()
        let link = try #require(try await server.assembly.accounts.linkForNewOwner()).text
        try await server.run { nobody in
            let page = try await nobody.redeem(link)
            let id = try #require(try await Self.current(page))
            #expect(try await page.call(.delete, "/v1/me/sessions/\(id)", "{}").code == "notAllowed")
            #expect(try await page.get("/v1/session").status == 200)
        }
    }

    @Test func `one's sessions say which browser, from where and when, and are ended one by one`()
        async throws
    {
        let server = try await TestServer()
        let user = try await server.assembly.accounts.create(Profile(name: "Ada"), under: .server)
        let links = [
            try await server.assembly.accounts.makeLink(for: user.id, under: .server).text,
            try await server.assembly.accounts.makeLink(for: user.id, under: .server).text,
        ]
        let agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
        try await server.run { nobody in
            let here = try await nobody.with(.userAgent, agent).redeem(links[0])
            let there = try await nobody.redeem(links[1])
            let listed = try await here.get("/v1/me/sessions")
            let sessions = listed.list("sessions")
            #expect(sessions.count == 2)
            let mine = try #require(sessions.first { $0["current"] as? Bool == true })
            #expect(mine["label"] as? String == "Firefox on Linux")
            #expect(mine["network"] as? String == "local")
            #expect(mine["lastSeen"] as? Int != nil && mine["created"] as? Int != nil)
            let other = try #require(sessions.first { $0["current"] == nil }?["id"] as? String)
            #expect(try await here.call(.delete, "/v1/me/sessions/\(other)", "{}").status == 204)
            #expect(try await there.get("/v1/session").status == 401)
            #expect(try await here.get("/v1/me/sessions").list("sessions").count == 1)
        }
    }

    @Test func `a removed user leaves their chats, their messages stay, and removing twice is refused`()
        async throws
    {
        let server = try await TestServer()
        try await server.party("Owner", "Ada", "Bob") { callers in
            let owner = try await callers[0].signedIn()
            let chat = try await callers[1].startChat(with: callers[2])
            let path = "/v1/chats/\(chat)/messages"
            #expect(try await callers[1].post(path, #"{"tag":"Text","content":"hello"}"#).status == 201)
            let ada = try #require(callers[1].user)
            #expect(try await owner.call(.delete, "/v1/users/\(ada)", "{}").status == 204)
            #expect(try await callers[1].get("/v1/session").code == "invalidCredentials")
            let messages = try await callers[2].get(path).list("messages")
            #expect(messages.map { $0["tag"] as? String } == ["Text", "Leave"])
            #expect(messages.map { $0["sender"] as? String } == ["\(ada)", "\(ada)"])
            #expect(messages[0]["content"] as? String == "hello")
            #expect(try await callers[2].get("/v1/contacts").list("contacts").count == 1)
            #expect(try await owner.call(.delete, "/v1/users/\(ada)", "{}").code == "unknownUser")
            #expect(try await callers[0].get("/v1/users").list("users").count == 2)
            // Bob owns the chat now, in which Ada has no name any more.
            let renamed = try await callers[2].call(.patch, "/v1/chats/\(chat)", #"{"subject":"Walk"}"#)
            #expect(renamed.status == 200)
        }
    }

    @Test func `a removal that was interrupted goes on`() async throws {
        let server = try await TestServer()
        try await server.party("Owner", "Ada", "Bob") { callers in
            let chat = try await callers[1].startChat(with: callers[2])
            try await server.store.remove(try #require(callers[1].user))
            let path = "/v1/chats/\(chat)/messages"
            #expect(try await callers[2].get(path).list("messages").isEmpty)
            try await server.assembly.removal.finish()
            #expect(try await callers[2].get(path).list("messages").map { $0["tag"] as? String } == ["Leave"])
            #expect(try await server.store.leaving().isEmpty)
        }
    }

    @Test func `the keys of programs are operators' to make, list and remove`() async throws {
        let server = try await TestServer()
        try await server.party("Owner", "Ada") { callers in
            let owner = try await callers[0].signedIn()
            #expect(try await callers[1].get("/v1/keys").code == "notAllowed")
            let made = try await owner.post("/v1/keys", #"{"name":"App","rights":"read"}"#)
            let id = try #require(made.string("id"))
            let secret = try #require(made.string("secret"))
            let listed = try await callers[0].get("/v1/keys")
            #expect(listed.list("keys").map { $0["id"] as? String } == [id])
            #expect(!listed.text.contains(secret))
            #expect(
                try await owner.post("/v1/keys", #"{"name":"App","rights":"all"}"#).code
                    == "invalidField"
            )
            #expect(try await owner.call(.delete, "/v1/keys/\(id)", "{}").status == 204)
            #expect(try await owner.call(.delete, "/v1/keys/\(id)", "{}").code == "notFound")
        }
    }
}
