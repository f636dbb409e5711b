import TestSupport
import HTTPTypes
import Testing
import YonderAccounts
import YonderGeodesy
import YonderModel
import YonderRules
import YonderREST
import YonderServer

@Suite struct SessionTests {
    @Test func `a sign-in link is good once`() async throws {
        let server = try await TestServer()
        let link = try #require(try await server.assembly.accounts.linkForNewOwner()).text
        try await server.run { nobody in
            let reply = try await nobody.post("/v1/session", #"{"link":"\#(link)"}"#)
            #expect(reply.status == 201)
            #expect(reply.object("user")["name"] as? String == "Owner")
            let again = try await nobody.post("/v1/session", #"{"link":"\#(link)"}"#)
            #expect(again.status == 401 && again.code == "invalidCredentials")
            let session = try await reply.signingIn(nobody).get("/v1/session")
            #expect(session.status == 200 && session.json["operator"] as? Bool == true)
        }
    }

    @Test func `a sign-in link is good for a quarter of an hour`() async throws {
        let server = try await TestServer()
        let link = try #require(try await server.assembly.accounts.linkForNewOwner()).text
        server.wait(.seconds(15 * 60))
        try await server.run { nobody in
            let reply = try await nobody.post("/v1/session", #"{"link":"\#(link)"}"#)
            #expect(reply.code == "invalidCredentials")
        }
    }

    @Test func `the cookie can't be read by scripts nor sent from elsewhere`() async throws {
        let server = try await TestServer()
        let link = try #require(try await server.assembly.accounts.linkForNewOwner()).text
        try await server.run { nobody in
            let cookie =
                try await nobody.post("/v1/session", #"{"link":"\#(link)"}"#).headers[.setCookie] ?? ""
            #expect(cookie.hasPrefix("yonder="))
            for part in ["; HttpOnly", "; SameSite=Strict", "; Path=/", "; Max-Age=7776000"] {
                #expect(cookie.contains(part))
            }
            #expect(!cookie.contains("Secure") && !cookie.contains("Domain"))
        }
    }

    @Test func `under TLS the cookie is bound to the host`() async throws {
        var settings = ServerSettings()
        settings.certificate = ServerSettings.Certificate(chain: "", key: "")
        let server = try await TestServer(settings)
        let secret = Secret.random()
        let cookie = SecretCookie.session.setting(secret, lifetime: .seconds(60), isSecure: true)
        #expect(cookie.hasPrefix("__Host-yonder=\(secret.text); Path=/;"))
        #expect(cookie.hasSuffix("; HttpOnly; SameSite=Strict; Secure"))
        #expect(
            SecretCookie.session.secret(in: [.cookie: "a=b; \(cookie)"], isSecure: true)?.text == secret.text
        )
        #expect(SecretCookie.session.secret(in: [.cookie: "yonder=\(secret.text)"], isSecure: true) == nil)
        _ = server
    }

    @Test(arguments: [
        nil, "http://evil.example", "null", "http://localhost.evil.example", "http://localhost:81",
    ])
    func `a cookie changes nothing from a foreign page`(origin: String?) async throws {
        let server = try await TestServer()
        let link = try #require(try await server.assembly.accounts.linkForNewOwner()).text
        try await server.run { nobody in
            let owner = try await nobody.redeem(link)
            let reply = try await owner.with(.origin, origin).post("/v1/tokens", #"{"label":"x"}"#)
            #expect(reply.status == 403 && reply.code == "forbiddenOrigin")
            #expect(try await owner.get("/v1/tokens").list("tokens").isEmpty)
            #expect(try await owner.post("/v1/tokens", #"{"label":"x"}"#).status == 201)
        }
    }

    @Test func `a listed origin may use the cookie, and read the answers`() async throws {
        var settings = ServerSettings()
        settings.origins = try Origins(["https://map.example.org"])
        let server = try await TestServer(settings)
        let link = try #require(try await server.assembly.accounts.linkForNewOwner()).text
        try await server.run { nobody in
            let owner = try await nobody.redeem(link).with(.origin, "https://map.example.org")
            let reply = try await owner.post("/v1/tokens")
            #expect(reply.status == 201)
            #expect(reply.headers[.accessControlAllowOrigin] == "https://map.example.org")
            let preflight = try await nobody.with(.origin, "https://map.example.org")
                .with(.accessControlRequestMethod, "POST").call(.options, "/v1/tokens")
            #expect(preflight.status == 204)
            #expect(preflight.headers[.accessControlAllowHeaders] == "Authorization, Content-Type")
            let foreign = try await nobody.with(.origin, "https://evil.example").get("/v1/session")
            #expect(foreign.headers[.accessControlAllowOrigin] == nil)
        }
    }

    @Test func `a cookie needs a JSON body`() async throws {
        let server = try await TestServer()
        let link = try #require(try await server.assembly.accounts.linkForNewOwner()).text
        try await server.run { nobody in
            let owner = try await nobody.redeem(link)
            for type in ["text/plain", "application/x-www-form-urlencoded", nil] {
                let reply = try await owner.with(.contentType, type).call(.delete, "/v1/session")
                #expect(reply.status == 400 && reply.code == "invalidFrame")
            }
        }
    }

    @Test func `a foreign page can't sign a browser in`() async throws {
        let server = try await TestServer()
        let link = try #require(try await server.assembly.accounts.linkForNewOwner()).text
        try await server.run { nobody in
            let page = nobody.with(.origin, "https://evil.example")
            let reply = try await page.post("/v1/session", #"{"link":"\#(link)"}"#)
            #expect(reply.code == "forbiddenOrigin")
        }
    }

    @Test func `signing out ends the session`() async throws {
        let server = try await TestServer()
        let link = try #require(try await server.assembly.accounts.linkForNewOwner()).text
        try await server.run { nobody in
            let owner = try await nobody.redeem(link)
            let reply = try await owner.call(.delete, "/v1/session", "{}")
            #expect(reply.status == 204)
            #expect(reply.headers[.setCookie]?.contains("yonder=; Path=/; Max-Age=0") == true)
            #expect(try await owner.get("/v1/session").code == "notSignedIn")
        }
    }

    @Test func `a session ends after ninety days`() async throws {
        let server = try await TestServer()
        let link = try #require(try await server.assembly.accounts.linkForNewOwner()).text
        try await server.run { nobody in
            let owner = try await nobody.redeem(link)
            server.wait(.seconds(90 * 86_400 - 1))
            #expect(try await owner.get("/v1/session").status == 200)
            server.wait(.seconds(1))
            #expect(try await owner.get("/v1/session").status == 401)
        }
    }

    @Test func `a password signs in, and a wrong one doesn't`() async throws {
        let server = try await TestServer()
        let user = try await server.assembly.accounts.create(
            Profile(name: "Ada"),
            login: "ada",
            under: .server
        )
        try await server.assembly.accounts.overridePassword("correct horse", of: user.id, under: .server)
        try await server.run { nobody in
            let good = #"{"login":"ADA","password":"correct horse"}"#
            #expect(try await nobody.post("/v1/session", good).status == 201)
            for (login, password) in [("ada", "wrong horse"), ("ben", "correct horse"), ("ada", "")] {
                let reply = try await nobody.post(
                    "/v1/session",
                    #"{"login":"\#(login)","password":"\#(password)"}"#
                )
                #expect(reply.status == 401 && reply.code == "invalidCredentials")
            }
        }
    }

    @Test func `an old hash is read, and raised at the next sign-in`() async throws {
        let server = try await TestServer()
        let user = try await server.assembly.accounts.create(
            Profile(name: "Ada"),
            login: "ada",
            under: .server
        )
        let old = try await PasswordHasher(cost: PasswordCost(exponent: 2)).hash(
            "correct horse",
            for: .server
        )
        try await server.store.setPassword(user.id, hash: old)
        try await server.run { nobody in
            let wrong = #"{"login":"ada","password":"wrong horse"}"#
            #expect(try await nobody.post("/v1/session", wrong).status == 401)
            #expect(try await server.store.account(user.id).passwordHash == old)
            let good = #"{"login":"ada","password":"correct horse"}"#
            #expect(try await nobody.post("/v1/session", good).status == 201)
            let raised = try #require(try await server.store.account(user.id).passwordHash)
            #expect(raised.hasPrefix("$scrypt$ln=4,r=8,p=1$"))
            #expect(try await nobody.post("/v1/session", good).status == 201)
            #expect(try await server.store.account(user.id).passwordHash == raised)
        }
    }

    @Test func `too many wrong passwords must wait, and then may try again`() async throws {
        let server = try await TestServer()
        let user = try await server.assembly.accounts.create(
            Profile(name: "Ada"),
            login: "ada",
            under: .server
        )
        try await server.assembly.accounts.overridePassword("correct horse", of: user.id, under: .server)
        try await server.run { nobody in
            for _ in 0..<10 {
                let reply = try await nobody.post("/v1/session", #"{"login":"ada","password":"wrong"}"#)
                #expect(reply.code == "invalidCredentials")
            }
            let good = #"{"login":"ada","password":"correct horse"}"#
            let refused = try await nobody.post("/v1/session", good)
            #expect(refused.status == 429 && refused.headers[.retryAfter] == "30")
            #expect(refused.object("error")["retryAfter"] as? Int == 30_000)
            server.wait(.seconds(30))
            #expect(try await nobody.post("/v1/session", good).status == 201)
        }
    }

    @Test func `a new password needs the old one and signs other browsers out`() async throws {
        let server = try await TestServer()
        let user = try await server.assembly.accounts.create(
            Profile(name: "Ada"),
            login: "ada",
            under: .server
        )
        let links = [
            try await server.assembly.accounts.makeLink(for: user.id, under: .server).text,
            try await server.assembly.accounts.makeLink(for: user.id, under: .server).text,
        ]
        try await server.run { nobody in
            let here = try await nobody.redeem(links[0])
            let there = try await nobody.redeem(links[1])
            #expect(try await here.call(.put, "/v1/me/password", #"{"password":"first one"}"#).status == 204)
            #expect(try await here.get("/v1/session").status == 200)
            #expect(try await there.get("/v1/session").status == 401)
            for body in [#"{"password":"second one"}"#, #"{"password":"second one","current":"wrong"}"#] {
                #expect(try await here.call(.put, "/v1/me/password", body).code == "invalidCredentials")
            }
            let right = #"{"password":"second one","current":"first one"}"#
            #expect(try await here.call(.put, "/v1/me/password", right).status == 204)
            #expect(try await here.call(.put, "/v1/me/password", #"{"password":"short"}"#).code != nil)
        }
    }

    @Test func `a token is shown once, listed without itself, and gone when removed`() async throws {
        let server = try await TestServer()
        try await server.party("Ada") { callers in
            let made = try await callers[0].post("/v1/tokens", #"{"label":"tracker"}"#)
            let token = try #require(made.string("token"))
            let id = try #require(made.string("id"))
            let program = callers[0].bearing(token)
            let listed = try await program.get("/v1/tokens")
            #expect(listed.list("tokens").contains { $0["id"] as? String == id })
            #expect(!listed.text.contains(token))
            #expect(try await program.call(.delete, "/v1/tokens/\(id)").status == 204)
            #expect(try await program.get("/v1/tokens").code == "invalidCredentials")
            #expect(try await callers[0].call(.delete, "/v1/tokens/\(id)").code == "notFound")
        }
    }

    @Test(arguments: ["Bearer", "Bearer ", "Bearer x", "Basic YTpi", "token"])
    func `an invalid bearer token is refused, even with a valid cookie`(value: String) async throws {
        let server = try await TestServer()
        let link = try #require(try await server.assembly.accounts.linkForNewOwner()).text
        try await server.run { nobody in
            let owner = try await nobody.redeem(link).with(.authorization, value)
            let reply = try await owner.get("/v1/session")
            #expect(reply.status == 401 && reply.code == "invalidCredentials")
            #expect(reply.headers[.wwwAuthenticate] == "Bearer")
        }
    }

    @Test(arguments: ["token", "access_token", "link"])
    func `no token is taken from a query string`(name: String) async throws {
        let server = try await TestServer()
        try await server.party("Ada") { callers in
            let token = try #require(try await callers[0].post("/v1/tokens").string("token"))
            let nobody = Caller(server: server, client: callers[0].client)
            let reply = try await nobody.get("/v1/session?\(name)=\(token)")
            #expect(reply.status == 400 && reply.code == "unknownField")
        }
    }

    @Test(arguments: [
        "/v1/session", "/v1/me", "/v1/tokens", "/v1/contacts", "/v1/chats", "/v1/chats/1", "/v1/users",
        "/v1/chats/1/messages", "/v1/chats/1/messages/1",
    ])
    func `a caller without an account sees nothing`(path: String) async throws {
        let server = try await TestServer()
        try await server.run { nobody in
            let reply = try await nobody.get(path)
            #expect(reply.status == 401 && reply.code == "notSignedIn")
        }
    }
}
