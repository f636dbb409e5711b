import TestSupport
import Testing
import YonderAccounts
import YonderClient
import YonderHub
import YonderModel
import YonderRequests
import YonderRules

@testable import YonderAppModels

@Suite(.timeLimit(.minutes(20))) @MainActor struct SignInModelTests {
    @Test func `a wrong link is refused in words, a good one signs in, and the session outlives the process`()
        async throws
    {
        try await AppGround.running { ground in
            let mia = try await ground.person("Mia Hasler")
            let link = try await ground.server.accounts.makeLink(for: mia.id, under: .server).text
            let store = MemorySessionStore()
            let model = ground.signIn(store)
            try await showing(model.run) {
                try await wait { model.isSignedOut }
                #expect(!model.canUseLink)
                model.link = "\(ground.server.url)/#link=nonsense"
                model.useLink()
                #expect(model.isBusy && !model.canUseLink)
                try await wait { !model.isBusy }
                #expect(model.problem == "The login, password or link is wrong or no longer good.")
                model.link = " \(ground.server.url)/#link=\(link)\n"
                model.useLink()
                try await wait { model.signedIn?.user.name == "Mia Hasler" }
                #expect(model.problem == nil && model.link == "")
            }

            let next = ground.signIn(store)
            try await showing(next.run) {
                try await wait { next.signedIn?.id == mia.id }
                let connection = ConnectionModel(try #require(next.signedIn).client, ground.context)
                try await showing(connection.run) { try await wait { connection.state == .connected } }
                next.signOut()
                try await wait { next.isSignedOut }
                #expect(next.problem == nil && store.session() == nil)
            }
        }
    }

    @Test
    func `a login with a password signs in, and a session that is ended elsewhere is said to have ended`()
        async throws
    {
        try await AppGround.running { ground in
            let user = try await ground.server.accounts.create(
                Profile(name: "Mia Hasler"),
                login: "mia",
                isOperator: false,
                under: .server
            )
            let link = try await ground.server.accounts.makeLink(for: user.id, under: .server).text
            let desk = try RESTClient(server: ground.server.url, store: MemorySessionStore())
            try await desk.signIn(link: link)
            try await desk.setPassword("correct horse")
            var german = ground
            german.languages = ["fr-FR", "de-AT"]
            let model = german.signIn(MemorySessionStore())
            try await showing(model.run) {
                try await wait { model.isSignedOut }
                (model.server, model.login, model.password) = ("", "mia", "wrong horse")
                model.usePassword()
                try await wait {
                    model.problem == "Gib die Adresse deines Servers ein, oder füge den ganzen Link ein."
                }
                model.server = ground.server.url
                model.usePassword()
                try await wait {
                    model.problem == "Anmeldename, Passwort oder Link ist falsch oder gilt nicht mehr."
                }
                model.password = "correct horse"
                model.usePassword()
                try await wait { model.signedIn != nil }
                #expect(model.password == "")
                try await desk.endOtherSessions()
                try await wait { model.isSignedOut }
                #expect(model.problem == "Deine Sitzung ist beendet. Bitte melde dich neu an.")
            }
        }
    }

    @Test
    func
        `without a connection the sign-in says so, signing out works, and a session is asked for until it answers`()
        async throws
    {
        try await AppGround.running { ground in
            let mia = try await ground.person("Mia Hasler")
            let link = try await ground.server.accounts.makeLink(for: mia.id, under: .server).text
            let store = MemorySessionStore()
            let model = ground.signIn(store)
            try await showing(model.run) {
                try await wait { model.isSignedOut }
                model.link = "http://127.0.0.1:1/#link=\(link)"
                model.useLink()
                try await wait { !model.isBusy }
                #expect(model.problem == "The server can’t be reached. Check the connection and try again.")
                model.link = "\(ground.server.url)/#link=\(link)"
                model.useLink()
                try await wait { model.signedIn != nil }
                ground.line.cut()
                model.signOut()
                // The stop of the shares waits for a connection, but not for long.
                await ground.clock.waits.waitForSleepers()
                await ground.clock.advance(by: SignInModel.stopWait)
                try await wait { model.isSignedOut }
                #expect(store.session() == nil)
            }

            // The device's session is of a server that doesn't answer.
            let away = MemorySessionStore(
                Session(origin: "http://127.0.0.1:1", path: "/home", cookies: ["yonder": "x"])
            )
            let opening = ground.signIn(away)
            try await showing(opening.run) {
                try await wait {
                    opening.problem == "The server can’t be reached. Check the connection and try again."
                }
                await ground.clock.waits.waitForSleepers()
                await ground.clock.advance(by: SignInModel.openWait)
                await ground.clock.waits.waitForSleepers()
                if case .opening = opening.stage {} else { Issue.record("The session was given up.") }
                #expect(opening.server == "http://127.0.0.1:1/home")
            }
        }
    }
}

extension AppGround {
    @MainActor func signIn(_ store: any SessionStore) -> SignInModel {
        SignInModel(server: server.url, store: store, context: context) { [line] requests, _ in
            line.client(of: requests)
        }
    }
}

extension SignInModel {
    var isSignedOut: Bool { if case .signedOut = stage { true } else { false } }

    var signedIn: SignedInUser? { if case .signedIn(let user) = stage { user } else { nil } }
}
