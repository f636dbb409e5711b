import Synchronization
import Testing
import YonderLink
import YonderModel

@testable import YonderRequests

@Suite struct RESTClientTests {
    private static let cookies = "__Host-yonder=secret; __Host-yonder-device=known"

    /// Signs in, and in again with the cookie `newer`.
    ///
    /// - Returns: The headers of the first session's requests.
    private static func signInTwice(_ client: RESTClient, _ server: FakeServer) async throws -> [LinkHeader] {
        server.signIn()
        try await client.signIn(login: "ada", password: "long enough")
        let old = try await client.identity.headers()
        server.signIn(cookie: "newer")
        try await client.signIn(login: "ada", password: "long enough")
        return old
    }

    @Test func `a sign-in is kept, and sent to this server alone with its origin`() async throws {
        let (server, store) = (FakeServer(), MemorySessionStore())
        let client = try server.client(store)
        #expect(try await client.isSignedIn == false)
        server.signIn()
        let user = try await client.signIn(link: "https://yonder.example/#link=a%2Bb")
        #expect(user.name == "Ada")
        #expect(server.asked[0].path == "/v1/session")
        #expect(String(decoding: server.asked[0].body, as: UTF8.self) == #"{"link":"a+b"}"#)
        #expect(server.asked[0].headers.contains(LinkHeader("Origin", "https://yonder.example")))
        #expect(!server.asked[0].headers.contains { $0.isNamed("cookie") })
        #expect(store.session()?.origin == "https://yonder.example")

        // The next process reads it.
        let next = try server.client(store)
        server.answer(200, #"{"contacts":[{"id":"8","name":"Bea","hue":40}]}"#)
        #expect(try await next.contacts() == [User(id: UserID(8)!, name: "Bea", hue: 40)])
        #expect(server.asked[1].headers.contains(LinkHeader("Cookie", Self.cookies)))
        // Another server's session is nobody's here.
        let other = MemorySessionStore(Session(origin: "https://other.example", cookies: ["yonder": "x"]))
        #expect(try await server.client(other).isSignedIn == false)
        // So is that of another server at the same address; a session without a path is of an earlier version.
        for (path, isSignedIn) in [("/other", false), ("", true), (nil, true)] {
            let store = MemorySessionStore(
                Session(origin: "https://yonder.example", path: path, cookies: ["yonder": "x"])
            )
            #expect(try await server.client(store).isSignedIn == isSignedIn, "\(path ?? "none")")
        }
    }

    @Test(
        arguments: [
            "https://elsewhere.example/", "https://yonder.example.elsewhere.example/",
            "https://yonder.example:444/",
            "http://yonder.example/", "https://yonder.example/other/",
            "https://yonder.example@elsewhere.example/",
        ]
    )
    func `a link of another server isn't sent`(_ address: String) async throws {
        let server = FakeServer()
        let client = try server.client()
        let error = await #expect(throws: SharingError.self) {
            try await client.signIn(link: "\(address)#link=abc")
        }
        #expect(error?.code == .invalidField && server.asked.isEmpty)
    }

    @Test(arguments: ["https://yonder.example/#link=a%2Db", "HTTPS://Yonder.Example:443#link=a-b", "a-b"])
    func `of a link the secret is sent`(_ link: String) async throws {
        let server = FakeServer()
        server.signIn()
        try await server.client().signIn(link: link)
        #expect(server.asked.first?.body == Array(#"{"link":"a-b"}"#.utf8))
    }

    @Test func `a late answer to a session that is over brings nothing back`() async throws {
        let (server, store) = (FakeServer(), MemorySessionStore())
        let client = try server.client(store)
        let keeper = try #require(client.sessions)
        let old = try await Self.signInTwice(client, server)
        let newer = store.session()
        await keeper.take(["__Host-yonder=old; Path=/"], for: old, beginsSession: false)
        #expect(store.session() == newer)
        let headers = try await client.identity.headers()
        server.answer(204)
        try await client.signOut()
        await keeper.take(["__Host-yonder=newer; Path=/"], for: headers, beginsSession: false)
        #expect(try await !client.isSignedIn && store.session() == nil)
    }

    @Test func `a sign-out that is answered late leaves a newer session alone`() async throws {
        let (server, store) = (FakeServer(), MemorySessionStore())
        let client = try server.client(store)
        let keeper = try #require(client.sessions)
        let old = try await Self.signInTwice(client, server)
        try await keeper.forget(for: old)
        #expect(store.session()?.cookies["__Host-yonder"] == "newer")
    }

    @Test func `cookies of a load balancer are no part of the session`() async throws {
        let (server, store) = (FakeServer(), MemorySessionStore())
        let client = try server.client(store)
        server.signIn()
        try await client.signIn(login: "ada", password: "long enough")
        let headers = try await client.identity.headers()
        for number in 0..<10 {
            let sticky = LinkHeader("Set-Cookie", "sticky\(number)=\(number)")
            server.answer(200, #"{"contacts":[]}"#, headers: [sticky])
            _ = try await client.contacts()
        }
        #expect(store.session()?.cookies.count == 2)
        await client.identity.refused(headers)
        #expect(store.session() == nil)
    }

    @Test func `a page in place of the answer is no answer`() async throws {
        let server = FakeServer()
        let client = try server.client()
        server.answer(200, "<html>Sign in to this network</html>")
        let block = await #expect(throws: SharingError.self) { try await client.block(UserID(8)!) }
        #expect(block?.code == .unavailable)
        server.answer(200, "<html>Sign in to this network</html>")
        let read = await #expect(throws: SharingError.self) { try await client.contacts() }
        #expect(read?.code == .unavailable)
    }

    @Test(
        arguments: [
            (401, "notSignedIn", false), (403, "notAllowed", true), (403, "accountDisabled", true),
            (401, "other", true),
        ]
    )
    func `a refused stream forgets the session only if the server says that it ended`(
        _ status: Int,
        _ code: String,
        _ stays: Bool
    ) async throws {
        let (server, store) = (FakeServer(), MemorySessionStore())
        let client = try server.client(store)
        server.signIn()
        try await client.signIn(login: "ada", password: "long enough")
        let links = Links(address: try ServerAddress("https://yonder.example"), requests: server) {
            (_, _) async throws(OpenFailure) in throw .notUpgraded
        }
        server.answer(status, #"{"error":{"code":"\#(code)","message":"No."}}"#)
        await #expect(throws: LinkClosure.self) { try await links.stream(as: client.identity)() }
        #expect((store.session() != nil) == stays)
    }

    @Test(arguments: [401, 403])
    func `what answers in the server's place ends no session`(_ status: Int) async throws {
        let (server, store) = (FakeServer(), MemorySessionStore())
        let client = try server.client(store)
        server.signIn()
        try await client.signIn(login: "ada", password: "long enough")
        server.answer(status, "<html>Sign in to this network</html>")
        let error = await #expect(throws: SharingError.self) { try await client.me() }
        #expect(error?.code == .unavailable && store.session() != nil)
    }

    @Test func `a store that can't write holds up nothing, and writes later`() async throws {
        let (server, store) = (FakeServer(), FullStore())
        let client = try server.client(store)
        server.signIn()
        try await client.signIn(login: "ada", password: "long enough")
        #expect(try await client.isSignedIn && store.session() == nil)
        #expect(await !client.isSessionKept)
        store.isFull = false
        server.answer(200, #"{"contacts":[]}"#)
        _ = try await client.contacts()
        #expect(await client.isSessionKept && store.session() != nil)
        store.isFull = true
        server.answer(204)
        let error = await #expect(throws: SharingError.self) { try await client.signOut() }
        #expect(error?.code == .unavailable && store.session() != nil)
        #expect(try await !client.isSignedIn)
        let again = await #expect(throws: SharingError.self) { try await client.signOut() }
        #expect(again?.code == .unavailable)
        store.isFull = false
        server.signIn(cookie: "newer")
        try await client.signIn(login: "ada", password: "long enough")
        #expect(store.session()?.cookies["__Host-yonder"] == "newer")
    }

    @Test func `a session that the server ended is forgotten, and one that is newer isn't`() async throws {
        let (server, store) = (FakeServer(), MemorySessionStore())
        let client = try server.client(store)
        let old = try await Self.signInTwice(client, server)
        await client.identity.refused(old)
        #expect(store.session() != nil)

        server.answer(401, #"{"error":{"code":"notSignedIn","message":"The session ended."}}"#)
        let error = await #expect(throws: SharingError.self) { try await client.me() }
        #expect(error?.code == .notSignedIn)
        #expect(store.session() == nil)
        await #expect(
            throws: LinkClosure.refused(SharingError(.notSignedIn, "Nobody is signed in on this device."))
        ) {
            try await client.identity.headers()
        }
    }

    @Test func `a wrong password is no end of a session`() async throws {
        let (server, store) = (FakeServer(), MemorySessionStore())
        let client = try server.client(store)
        server.signIn()
        try await client.signIn(login: "ada", password: "long enough")
        server.answer(401, #"{"error":{"code":"invalidCredentials","message":"Wrong.","retryAfter":1500}}"#)
        let error = await #expect(throws: SharingError.self) {
            try await client.setPassword("another one", current: "wrong")
        }
        #expect(error?.code == .invalidCredentials && error?.retryAfter == .milliseconds(1_500))
        #expect(store.session() != nil)
    }

    @Test func `signing out forgets the session whatever the server says`() async throws {
        for refusal in ["notSignedIn", "internalError", nil] {
            let (server, store) = (FakeServer(), MemorySessionStore())
            let client = try server.client(store)
            server.signIn()
            try await client.signIn(login: "ada", password: "long enough")
            if let refusal {
                server.answer(
                    refusal == "notSignedIn" ? 401 : 500,
                    #"{"error":{"code":"\#(refusal)","message":"No."}}"#
                )
            } else {
                server.lose(.lost("Nobody is there."))
            }
            if refusal == "notSignedIn" {
                try await client.signOut()
            } else {
                await #expect(throws: SharingError.self) { try await client.signOut() }
            }
            #expect(store.session() == nil)
        }
    }

    @Test func `a store that can't be read now is later, and not signed out`() async throws {
        let (server, store) = (FakeServer(), LockedStore())
        let client = try server.client(store)
        let error = await #expect(throws: SharingError.self) { try await client.isSignedIn }
        #expect(error?.code == .unavailable)
        await #expect(throws: LinkClosure.lost("The phone is locked.")) {
            try await client.identity.headers()
        }
        store.unlock(Session(origin: "https://yonder.example", cookies: ["yonder": "secret"]))
        #expect(try await client.isSignedIn)
        #expect(try await client.identity.headers().contains(LinkHeader("Cookie", "yonder=secret")))
    }

    @Test func `a client with a token signs nobody in or out`() async throws {
        let client = try RESTClient(server: "https://yonder.example", token: "abc")
        #expect(try await client.isSignedIn)
        for call in [{ try await client.signOut() }, { _ = try await client.signIn(link: "abc") }] {
            let error = await #expect(throws: SharingError.self) { try await call() }
            #expect(error?.code == .notAllowed)
        }
    }

    @Test func `who answers in the server's place is unavailable, for as long as it says`() async throws {
        let server = FakeServer()
        let client = try server.client()
        server.answer(503, "<html>", headers: [LinkHeader("Retry-After", "7")])
        let error = await #expect(throws: SharingError.self) { try await client.blocks() }
        #expect(error?.code == .unavailable && error?.retryAfter == .seconds(7))
        server.lose(.lost("No route."))
        let lost = await #expect(throws: SharingError.self) { try await client.blocks() }
        #expect(lost?.code == .unavailable)
    }

    @Test func `only what was assigned is changed`() async throws {
        let server = FakeServer()
        let client = try server.client()
        server.answer(200, #"{"user":{"id":"7","name":"Ada L.","hue":200},"reads":true}"#)
        let user = try await client.changeMe {
            $0.name = "Ada L."
            $0.setEmail(nil)
            $0.setHue(200)
        }
        #expect(user.hue == 200)
        let sent = String(decoding: server.asked[0].body, as: UTF8.self)
        #expect(
            Set(sent.dropFirst().dropLast().split(separator: ",")) == [
                #""name":"Ada L.""#, #""email":null"#, #""hue":200"#,
            ]
        )
    }

    @Test func `groups are left until none are left, or the server leaves none`() async throws {
        let server = FakeServer()
        let client = try server.client()
        for left in [256, 3] { server.answer(200, #"{"left":\#(left),"more":\#(left > 3)}"#) }
        #expect(try await client.blockAndLeave(UserID(8)!) == 259)
        server.answer(200, #"{"left":0,"more":true}"#)
        #expect(try await client.blockAndLeave(UserID(8)!) == 0)
    }

    @Test func `a text is searched for byte by byte`() async throws {
        let server = FakeServer()
        let client = try server.client()
        server.answer(200, #"{"candidates":[]}"#)
        #expect(try await client.places(GeocodingQuery("Käse & Brot 50%/1")).isEmpty)
        #expect(server.asked[0].path == "/v1/geocoding/search?q=K%C3%A4se%20%26%20Brot%2050%25%2F1&limit=5")
    }
}

/// A store that can't be read before a first unlock.
private final class LockedStore: SessionStore {
    private let state = Mutex<Session?>(nil)

    func unlock(_ session: Session) {
        state.withLock { $0 = session }
    }

    func session() async throws(SharingError) -> Session? {
        guard let session = state.withLock(\.self) else {
            throw SharingError(.unavailable, "The phone is locked.")
        }
        return session
    }

    func keep(_ session: Session) async throws(SharingError) {}
    func remove() async throws(SharingError) {}
}

/// A store that doesn't write while it is full.
private final class FullStore: SessionStore {
    private let memory = MemorySessionStore()
    private let full = Mutex(true)

    var isFull: Bool {
        get { full.withLock(\.self) }
        set { full.withLock { $0 = newValue } }
    }

    func session() -> Session? { memory.session() }

    func keep(_ session: Session) throws(SharingError) {
        try check()
        memory.keep(session)
    }

    func remove() throws(SharingError) {
        try check()
        memory.remove()
    }

    private func check() throws(SharingError) {
        if isFull { throw SharingError(.unavailable, "The store is full.") }
    }
}
