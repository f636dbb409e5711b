import Foundation
import TestSupport
import Testing
import YonderModel

@testable import YonderRequests

@Suite struct FileSessionStoreTests {
    private static let session = Session(origin: "https://yonder.example", cookies: ["yonder": "secret"])

    private func withStore(_ body: (FileSessionStore, _ path: String) throws -> Void) throws {
        let folder = TemporaryFolder()
        let path = try folder.made() + "/session"
        try body(FileSessionStore(path: path), path)
    }

    @Test func `a session is kept for its user alone, changed in one step, and removed`() throws {
        try withStore { store, path in
            #expect(try store.session() == nil)
            try store.remove()
            for cookies in [["yonder": "secret"], ["yonder": "newer"]] {
                let session = Session(origin: "https://yonder.example", cookies: cookies)
                try store.keep(session)
                #expect(try store.session() == session)
                let mode =
                    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
                #expect(mode?.intValue == 0o600)
            }
            #expect(!FileManager.default.fileExists(atPath: path + ".new"))
            try store.remove()
            #expect(try store.session() == nil)
        }
    }

    @Test func `a file that others can read, or that is none of ours, is later and not signed out`() throws {
        try withStore { store, path in
            try store.keep(Self.session)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            #expect(throws: SharingError.self) { try store.session() }
            try store.keep(Self.session)
            #expect(try store.session() == Self.session)
            let file = try #require(FileHandle(forWritingAtPath: path))
            try file.write(contentsOf: Data("not JSON".utf8))
            let error = #expect(throws: SharingError.self) { try store.session() }
            #expect(error?.code == .unavailable && error?.message.contains("secret") == false)
        }
    }

    @Test func `where nothing can be written the session isn't kept, and that is said`() {
        let store = FileSessionStore(path: "/nowhere/at/all")
        let error = #expect(throws: SharingError.self) { try store.keep(Self.session) }
        #expect(error?.code == .unavailable)
    }
}
