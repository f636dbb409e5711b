import ScreenReading
import SwiftUI
import Testing
import YonderAccounts
import YonderModel
import YonderRules

@testable import EndToEndTests
@testable import YonderApp
@testable import YonderAppModels

@Suite(.timeLimit(.minutes(20))) @MainActor struct SignInScreenTests {
    @Test(arguments: ["en", "de"])
    func `the sign-in screen refuses a wrong link in words, and a good one leads to the five screens`(
        language: String
    ) async throws {
        try await ScreenGround.running(language) { ground in
            let (words, app) = (ground.words, ground.app)
            let signIn = app.signIn
            let mia = try await ground.ground.person("Mia Hasler")
            let link = try await ground.ground.server.accounts.makeLink(for: mia.id, under: .server).text
            let url = ground.ground.server.url
            let screen = ground.screen { RootView(app: app) }
            #expect(screen.texts == [words.say(.pageLoading)])
            try await showing(screen.run, and: app.run) {
                try await wait { signIn.isSignedOut }
                #expect(
                    screen.texts
                        == [
                            .welcomeTitle, .welcomeLead, .appServer, .appServer, .appServerExample,
                            .signInLink,
                            .signInUseLink, .signInLogin, .signInPassword, .signInSignIn,
                        ].map { words.say($0) }
                )
                #expect(!screen.canPress(words.say(.signInUseLink)))
                #expect(!screen.canPress(words.say(.signInSignIn)))
                try screen.type("\(url)/#link=nonsense", into: words.say(.signInLink))
                try screen.press(words.say(.signInUseLink))
                #expect(screen.texts.contains(words.say(.pageConnecting)))
                try await wait { screen.texts.contains(words.say(.errorInvalidCredentials)) }

                try screen.type("\(url)/#link=\(link)", into: words.say(.signInLink))
                try screen.press(words.say(.signInUseLink))
                let tabs: [Word] = [.pageChats, .pageContacts, .pageWorld, .pagePlaces, .pageYou]
                try await wait { screen.all(.tab).map(\.name) == tabs.map { words.say($0) } }
                try await wait { screen.shows([words.say(.chatsNone), words.say(.chatsNoneHint)]) }

                try screen.press(words.say(.pageYou))
                try screen.press(words.say(.settingsSignOut))
                #expect(
                    screen.all(.alert).first?.texts
                        == [
                            .settingsSignOut, .settingsSignOutHint, .settingsSignOut, .pageCancel,
                        ].map { words.say($0) }
                )
                try screen.press(words.say(.settingsSignOut))
                try await wait { signIn.isSignedOut && screen.texts.first == words.say(.welcomeTitle) }
            }
        }
    }
}
