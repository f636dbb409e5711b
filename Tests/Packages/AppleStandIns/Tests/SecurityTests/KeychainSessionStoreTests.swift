import Security
import Testing
import YonderModel
import YonderRequests

@Suite(.serialized) struct KeychainSessionStoreTests {
    private static let session = Session(origin: "https://yonder.example", cookies: ["yonder": "secret"])

    @Test func `a session is kept for this device after its first unlock, changed and removed`() throws {
        let store = KeychainSessionStore(service: "one")
        #expect(try store.session() == nil)
        try store.remove()
        for cookies in [["yonder": "secret"], ["yonder": "newer"]] {
            let session = Session(origin: "https://yonder.example", cookies: cookies)
            try store.keep(session)
            #expect(try store.session() == session)
        }
        #expect(accessibility(of: "one") == kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly)
        #expect(try KeychainSessionStore(service: "other").session() == nil)
        #expect(try KeychainSessionStore(service: "one", group: "apps").session() == nil)
        try store.remove()
        #expect(try store.session() == nil)
    }

    @Test func `before the first unlock the session is later, and not signed out`() throws {
        let store = KeychainSessionStore(service: "two")
        try store.keep(Self.session)
        restartPhone()
        for call in [{ _ = try store.session() }, { try store.keep(Self.session) }, { try store.remove() }] {
            let error = #expect(throws: SharingError.self) { try call() }
            #expect(error?.code == .unavailable)
        }
        unlockPhone()
        #expect(try store.session() == Self.session)
        try store.remove()
    }
}
