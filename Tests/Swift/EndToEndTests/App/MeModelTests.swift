import Foundation
import TestSupport
import Testing
import YonderAccounts
import YonderClient
import YonderLink
import YonderLocation
import YonderModel
import YonderRequests
import YonderStorage
import YonderRules

@testable import YonderAppModels

@Suite(.timeLimit(.minutes(20))) @MainActor struct MeModelTests {
    @Test func `a new name is saved, and signing out is asked for before it happens`() async throws {
        try await AppGround.running { ground in
            let mia = try await ground.person("Mia Hasler")
            let link = try await ground.server.accounts.makeLink(for: mia.id, under: .server).text
            let signIn = ground.signIn(MemorySessionStore())
            let app = AppModel(signIn, from: LocationProvider(source: MemorySource()))
            try await showing(app.run) {
                try await wait { signIn.isSignedOut }
                signIn.link = "\(ground.server.url)/#link=\(link)"
                signIn.useLink()
                try await wait { app.models != nil }
                let me = try #require(app.models).me
                try await showing(me.run) {
                    try await wait { me.sharing.connection.text == nil }
                    #expect(me.name == "Mia Hasler" && me.email == "mia@example.org" && !me.canSave)
                    #expect(me.face.initials == "MH" && me.signedInText == "Signed in as Mia Hasler")
                    #expect(me.sharing.seenText == "Nobody sees where you are.")
                    me.name = " Mia  Beck "
                    #expect(me.canSave)
                    me.save()
                    #expect(me.isBusy && !me.canSave)
                    try await wait { me.notice == "Saved." }
                    #expect(me.name == "Mia Beck" && !me.canSave && me.face.initials == "MB")
                    me.name = String(repeating: "a", count: 1_000)
                    me.save()
                    try await wait { me.problem != nil }
                    #expect(me.notice == nil && !me.isBusy)

                    me.askToSignOut()
                    #expect(me.asksToSignOut && me.canSignOut)
                    me.signOut()
                    try await wait { signIn.isSignedOut && app.models == nil }
                }
            }
        }
    }

    @Test func `an answer that is older than the saved name changes nothing`() async throws {
        try await AppGround.running { ground in
            let mia = try await ground.person("Mia Hasler")
            let links = try Links(server: ground.server.url, certificateAuthority: nil)
            let held = HeldRequests(over: links.requests) { $0.method == .get && $0.path == "/v1/session" }
            let requests = RESTClient(
                links: Links(address: links.address, requests: held) {
                    (target, headers) async throws(OpenFailure) in try await links.webSocket(target, headers)
                },
                store: MemorySessionStore()
            )
            let link = try await ground.server.accounts.makeLink(for: mia.id, under: .server).text
            let user = try await requests.signIn(link: link)
            let phone = SignedInUser(user, requests: requests, client: ground.line.client(of: requests))
            let sharing = SharingModel(
                of: phone,
                from: LocationProvider(source: MemorySource()),
                ground.context
            )
            let me = MeModel(of: phone, sharing, ground.signIn(MemorySessionStore()), ground.context)
            held.hold()
            try await showing(me.run) {
                await held.waitUntilHeld()
                me.name = "Mia Beck"
                me.save()
                try await wait { me.notice == "Saved." }
                held.letGo()
                // An answer that is asked for now comes after the one that was held.
                #expect(try await requests.me().user.name == "Mia Beck")
                #expect(me.name == "Mia Beck" && me.signedInText == "Signed in as Mia Beck" && !me.canSave)
            }
        }
    }

    @Test func `the form starts a share as it was chosen`() async throws {
        try await AppGround.running { ground in
            let people = try await ground.people("Mia Hasler", "Finn Beck")
            let chat = try await ground.chat(people, "Along the Rhine")
            let phone = try await ground.signedIn(people[0])
            let sharing = SharingModel(
                of: phone,
                from: LocationProvider(source: MemorySource()),
                ground.context
            )
            let form = ShareFormModel(in: chat, sharing)
            #expect(form.rows.map(\.name) == ["15 min", "1 hour", "8 hours", "until I stop", "until a time"])
            #expect(form.button == "Share · 1 hour" && !form.offersTime)
            try await running(phone.client) { @MainActor in
                try await showing(sharing.run) {
                    try await wait { sharing.connection.text == nil }
                    form.show()
                    form.choice = .time
                    #expect(form.isShown && form.offersTime && form.button.hasPrefix("Share · until "))
                    form.cancel()
                    #expect(!form.isShown && sharing.row(in: chat).state == .off)
                    form.time = .distantPast
                    form.isErased = true
                    form.share()
                    try await wait { sharing.row(in: chat).state == .finding }
                    let share = try #require(try await ground.server.store.shares().first)
                    #expect(share.keeping == .expiring)
                    sharing.stop(in: chat)
                    try await wait { sharing.row(in: chat).state == .off }
                }
            }
        }
    }
}

extension AppModel {
    /// The models that the app runs for the signed-in account, or `nil` while no account is signed in.
    fileprivate var models: PersonModels? { if case .signedIn(let models) = content { models } else { nil } }
}
