import Foundation
import Synchronization
import TestSupport
import Testing
import YonderAccounts
import YonderClient
import YonderGeodesy
import YonderModel
import YonderPocket
import YonderRequests

@testable import YonderAppModels
import YonderTables
import YonderRules

@Suite(.timeLimit(.minutes(20))) @MainActor struct PocketSignInTests {
    @Test func `while a share is wanted the next process signs in without the server's answer`() async throws
    {
        try await AppGround.running { ground in
            let user = User(id: .random(), name: "Mia Hasler", email: "mia@example.org")
            let record = MemoryPocketRecordStore()
            ground.pocket(record).share(user, at: "http://127.0.0.1:1")
            // No server answers at this address.
            let session = Session(origin: "http://127.0.0.1:1", cookies: ["yonder": "x"])
            let model = ground.signIn(MemorySessionStore(session), ground.pocket(record))
            try await showing(model.run) {
                try await wait { model.signedIn?.user == user }
                model.signOut()
                // The next question whose session it is, and the end of the wait for the stops.
                await ground.clock.waits.waitForSleepers(2)
                #expect(record.record == nil)
                await ground.clock.advance(by: SignInModel.stopWait)
                try await wait { model.isSignedOut }
            }
        }
    }

    @Test func `before the first unlock the session is read later, and the share is kept`() async throws {
        try await AppGround.running { ground in
            let user = User(id: .random(), name: "Mia Hasler")
            let record = MemoryPocketRecordStore()
            ground.pocket(record).share(user, at: "http://127.0.0.1:1")
            record.isLocked = true
            let pocket = ground.pocket(record)
            let session = LockedSessionStore(Session(origin: "http://127.0.0.1:1", cookies: ["yonder": "x"]))
            let model = ground.signIn(session, pocket)
            try await showing(model.run) {
                await ground.clock.advance(by: SignInModel.openWait)
                await ground.clock.waits.waitForSleepers()
                if case .opening = model.stage {} else { Issue.record("The session was given up.") }
                record.isLocked = false
                session.unlock()
                pocket.launch()
                await ground.clock.advance(by: SignInModel.openWait)
                try await wait { model.signedIn?.user == user }
                #expect(record.record?.wanted == [.inAnyChat])
            }
        }
    }

    @Test func `a session that the server ended, or that isn't there, ends what the pocket wants`()
        async throws
    {
        try await AppGround.running { ground in
            let mia = try await ground.person("Mia Hasler")
            let link = try await ground.server.accounts.makeLink(for: mia.id, under: .server).text
            let store = MemorySessionStore()
            let record = MemoryPocketRecordStore()
            let pocket = ground.pocket(record)
            let model = ground.signIn(store, pocket)
            try await showing(model.run) {
                try await wait { model.isSignedOut }
                model.link = "\(ground.server.url)/#link=\(link)"
                model.useLink()
                try await wait { model.signedIn != nil }
                pocket.shareStarted(.inAnyChat, of: try #require(model.signedIn).user)
                #expect(record.record?.wanted == [.inAnyChat])
                let desk = try RESTClient(server: ground.server.url, store: MemorySessionStore())
                let other = try await ground.server.accounts.makeLink(for: mia.id, under: .server).text
                try await desk.signIn(link: other)
                try await desk.endOtherSessions()
                try await wait { model.isSignedOut }
                #expect(record.record == nil)
            }

            ground.pocket(record).shareStarted(.inAnyChat, of: User(id: mia.id, name: "Mia"))
            let next = ground.signIn(MemorySessionStore(), ground.pocket(record))
            try await showing(next.run) {
                try await wait { next.isSignedOut }
                #expect(record.record == nil)
            }
        }
    }

    @Test func `a record of another account, or of another server, is forgotten at the sign-in`() async throws
    {
        try await AppGround.running { ground in
            let mia = try await ground.person("Mia Hasler")
            let stranger = User(id: .random(), name: "Tom Ritter")
            for (user, origin) in [
                (stranger, ground.server.url), (User(id: mia.id, name: "Mia"), "http://127.0.0.1:1"),
            ] {
                let record = MemoryPocketRecordStore()
                ground.pocket(record).share(user, at: origin)
                let pocket = ground.pocket(record)
                let store = MemorySessionStore()
                let requests = try RESTClient(server: ground.server.url, store: store)
                try await requests.signIn(
                    link: try await ground.server.accounts.makeLink(for: mia.id, under: .server).text
                )
                let model = ground.signIn(store, pocket)
                try await showing(model.run) {
                    try await wait { model.signedIn?.id == mia.id && record.record == nil }
                    #expect(pocket.wanted.isEmpty)
                    try await wait { !model.isBusy }
                    model.signOut()
                    try await wait { model.isSignedOut }
                    pocket.shareStarted(.inAnyChat, of: User(id: mia.id, name: "Mia"))
                    #expect(record.record == nil, "A start is answered after the sign-out.")
                }
            }
        }
    }

    @Test func `the notification's words are in the person's language`() {
        let noon = Timestamp(milliseconds: 1_764_158_400_000)
        let words = ["en", "de"].map { language in
            AppContext(languages: [language], timeZone: .gmt, clock: ContinuousClock(), now: { noon })
        }
        let four = noon + .seconds(4 * 3_600)
        #expect(
            words.map { $0.pocketNotice(until: four) } == [
                PocketNotice(text: "You share your position until 16:00", stop: "Stop"),
                PocketNotice(text: "Du teilst deinen Standort bis 16:00", stop: "Beenden"),
            ]
        )
        #expect(
            words.map { $0.pocketNotice(until: nil).text } == [
                "You share your position until you stop", "Du teilst deinen Standort, bis du aufhörst",
            ]
        )
    }
}

/// A session that can't be read before the first unlock.
private final class LockedSessionStore: SessionStore {
    private let isLocked = Mutex(true)
    private let store: MemorySessionStore

    init(_ session: Session) { store = MemorySessionStore(session) }

    func unlock() { isLocked.withLock { $0 = false } }

    func session() throws(SharingError) -> Session? {
        if isLocked.withLock(\.self) { throw SharingError(.unavailable, "The keychain is locked.") }
        return store.session()
    }

    func keep(_ session: Session) { store.keep(session) }

    func remove() { store.remove() }
}

extension AppGround {
    /// The pocket of a new process.
    @MainActor fileprivate func pocket(_ record: MemoryPocketRecordStore) -> PocketSharing {
        let pocket = PocketSharing(
            on: MemoryPocketSystem(),
            record: record,
            notice: { [context] in context.pocketNotice(until: $0) },
            now: { [clock] in clock.now }
        )
        pocket.launch()
        return pocket
    }

    @MainActor fileprivate func signIn(_ store: any SessionStore, _ pocket: PocketSharing) -> SignInModel {
        SignInModel(server: server.url, store: store, context: context, pocket: pocket) {
            [line] requests, _ in
            line.client(of: requests)
        }
    }
}

extension PocketSharing {
    /// Signs a user in at a server, and notes a share of that user.
    fileprivate func share(_ user: User, at origin: String) {
        signedIn(user.id, at: origin)
        shareStarted(.inAnyChat, of: user)
    }
}

extension PocketShare {
    fileprivate static let inAnyChat = PocketShare(
        id: .random(),
        chat: .random(),
        started: Timestamp(milliseconds: 1_764_158_400_000),
        until: nil
    )
}
