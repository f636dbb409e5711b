import Testing
import YonderAccounts
import YonderModel
import YonderServer
import YonderRules

/// What becomes of sign-ins when the wall clock is set back, as on a machine without a clock of its own.
@Suite struct ClockTests {
    private static let day = Duration.seconds(86_400)
    private static let wrong = #"{"login":"ada","password":"wrong horse"}"#
    private static let right = #"{"login":"ada","password":"correct horse"}"#

    @Test func `after a clock step back by a day nobody waits longer than before`() async throws {
        let server = try await TestServer()
        let ada = try await server.assembly.accounts.create(
            Profile(name: "Ada"),
            login: "ada",
            under: .server
        )
        try await server.assembly.accounts.overridePassword("correct horse", of: ada.id, under: .server)
        try await server.run { nobody in
            #expect(try await nobody.post("/v1/session", Self.wrong).status == 401)
            server.setClock(back: Self.day)
            #expect(try await nobody.post("/v1/session", Self.right).status == 201)
            for _ in 0..<10 { #expect(try await nobody.post("/v1/session", Self.wrong).status == 401) }
            server.setClock(back: Self.day)
            let refused = try await nobody.post("/v1/session", Self.right)
            #expect(refused.status == 429 && refused.object("error")["retryAfter"] as? Int == 30_000)
        }
    }

    @Test func `a clock step back revives no session, link or invitation that has ended`() async throws {
        let server = try await TestServer()
        let ada = try await server.assembly.accounts.create(Profile(name: "Ada"), under: .server)
        let links = [
            try await server.assembly.accounts.makeLink(for: ada.id, under: .server).text,
            try await server.assembly.accounts.makeLink(for: ada.id, under: .server).text,
        ]
        try await server.run { nobody in
            let page = try await nobody.redeem(links[0])
            let invitation = try await page.post("/v1/invitations").secret("url")
            server.wait(.seconds(15 * 60))
            server.setClock(back: Self.day)
            #expect(try await nobody.post("/v1/session", #"{"link":"\#(links[1])"}"#).status == 401)
            server.wait(.seconds(90 * 86_400))
            server.setClock(back: .seconds(91 * 86_400))
            #expect(try await page.get("/v1/session").status == 401)
            let view = try await nobody.post("/v1/invitations/view", #"{"invitation":"\#(invitation)"}"#)
            #expect(view.code == "invitationUsed")
        }
    }

    @Test func `credentials made after a clock step back are valid for their whole lifetime`() async throws {
        let server = try await TestServer()
        let ada = try await server.assembly.accounts.create(Profile(name: "Ada"), under: .server)
        try await server.run { nobody in
            server.setClock(back: Self.day)
            let link = try await server.assembly.accounts.makeLink(for: ada.id, under: .server).text
            let late = try await server.assembly.accounts.makeLink(for: ada.id, under: .server).text
            server.wait(.seconds(15 * 60 - 1))
            let page = try await nobody.redeem(link)
            server.wait(.seconds(1))
            #expect(try await nobody.post("/v1/session", #"{"link":"\#(late)"}"#).status == 401)
            server.wait(.seconds(90 * 86_400 - 2))
            #expect(try await page.get("/v1/session").status == 200)
            server.wait(.seconds(1))
            #expect(try await page.get("/v1/session").status == 401)
        }
    }
}
