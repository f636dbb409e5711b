import Foundation
import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules
import YonderSQLite
import YonderTables

@testable import YonderStorage

struct StoreBackupTests {
    private let folder = TemporaryFolder()
    private let other = TemporaryFolder()

    @Test func `a backup of a running server has every acknowledged message`() async throws {
        let store = try SQLiteStore.open(folder: folder.path)
        let home = try await Home(store)
        try FileManager.default.createDirectory(atPath: other.path, withIntermediateDirectories: true)
        for round in 1...3 {
            for number in 1...40 { try await store.submit(home.submission("a", key: "\(round) \(number)")) }
            let contents = try StoreBackup.copy(folder: folder.path, to: "\(other.path)/\(round).db")
            #expect(contents.messages == round * 40)
            #expect(contents.accounts == 2 && contents.chats == 1)
        }
        try store.close()
    }

    /// The time of restoring.
    private let now = Home.time + .seconds(86_400)

    @Test(arguments: [false, true])
    func `a restored folder has what the backup has, without sign-ins unless tokens are to be kept`(
        keepsTokens: Bool
    )
        async throws
    {
        var store = try SQLiteStore.open(folder: folder.path)
        let home = try await Home(store)
        for number in 1...5 { try await store.submit(home.submission("\(number)", key: "\(number)")) }
        var change = AccountChange()
        change.isOperator = true
        _ = try await store.change(home.ada, change)
        for kind in [Credential.Kind.session, .link, .token, .accounts] {
            try await store.createCredential(
                Credential(
                    secret: SecretHash(Array(repeating: UInt8(kind.rawValue.count), count: 32))!,
                    kind: kind,
                    user: home.ada,
                    label: "",
                    created: home.now,
                    expires: nil
                )
            )
        }
        let copy = try backup()
        try store.close()
        let restored = TemporaryFolder()
        try StoreBackup.restore(copy, into: restored.path, at: now, keepsTokens: keepsTokens)
        store = try SQLiteStore.open(folder: restored.path)
        #expect(try await store.chat(home.chat).last == 5)
        #expect(try await store.credentials(of: home.ada).map(\.kind) == (keepsTokens ? [.token] : []))
        try await store.submit(home.submission("6", key: "6"))
        try store.close()
    }

    @Test
    func `shares that ran at the backup have ended when the restored folder is first opened, told once`()
        async throws
    {
        var store = try SQLiteStore.open(folder: folder.path)
        let home = try await Home(store)
        func act(_ action: Submission.Action, _ user: UserID, source: Int64? = nil) async throws {
            try await store.submit(
                Submission(
                    chat: home.chat,
                    sender: user,
                    key: "\(UInt64.random(in: 0 ... .max))",
                    action: action,
                    time: home.now,
                    source: source
                )
            )
        }
        try await act(.startShare(.random(), ShareWish()), home.ada)
        let data = MessageData(checked: Array(#"{"latitude":"1","longitude":"2"}"#.utf8))
        try await act(.message(MessageDraft(tag: .location, data: data)), home.bob, source: 5)
        let copy = try backup()
        try store.close()
        let restored = TemporaryFolder()
        try StoreBackup.restore(copy, into: restored.path, at: now)
        for _ in 0..<2 {
            store = try SQLiteStore.open(folder: restored.path)
            let ends = try await store.shares().compactMap(\.end)
            #expect(Set(ends.map(\.ending)) == [.stopped, .signedOut] && ends.map(\.time) == [now, now])
            let answer = try await store.messages(MessageQuery(chat: home.chat), reader: home.ada, now: now)
            #expect(answer.messages.map(\.tag) == [.share, .location, .share, .share])
            try store.close()
        }
    }

    @Test func `a folder in use, or not empty, isn't restored into`() async throws {
        let store = try SQLiteStore.open(folder: folder.path)
        let copy = try backup()
        expect(.inUse) { try StoreBackup.restore(copy, into: folder.path, at: now) }
        try store.close()
        expect(.notEmpty) { try StoreBackup.restore(copy, into: folder.path, at: now) }
    }

    @Test func `the remains of a killed restore are replaced`() async throws {
        try SQLiteStore.open(folder: folder.path).close()
        let copy = try backup()
        let restored = TemporaryFolder()
        try FileManager.default.createDirectory(atPath: restored.path, withIntermediateDirectories: true)
        try Data("half".utf8).write(to: URL(filePath: "\(restored.path)/restoring.db"))
        try StoreBackup.restore(copy, into: restored.path, at: now)
        try SQLiteStore.open(folder: restored.path).close()
    }

    @Test func `a start removes what a killed restore left, and a restore of it then names the database`()
        async throws
    {
        var store = try SQLiteStore.open(folder: folder.path)
        let home = try await Home(store)
        try await store.submit(home.submission("kept", key: "1"))
        let copy = try backup()
        try store.close()
        for ending in ["", "-journal"] {
            try FileManager.default.copyItem(atPath: copy, toPath: "\(folder.path)/restoring.db\(ending)")
        }
        store = try SQLiteStore.open(folder: folder.path)
        #expect(try await store.chat(home.chat).last == 1)
        try store.close()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.contains("yonder.db") && !names.contains { $0.hasPrefix("restoring") })
    }

    @Test func `a damaged copy and one of a newer program are refused`() async throws {
        let newer = SQLiteStore.migrations + [Migration(sql: "CREATE TABLE future (x)")]
        try SQLiteStore(folder: folder.path, migrations: newer).close()
        expect(.newerVersion) { _ = try backup() }
        let file = "\(other.path)/damaged.db"
        try Data("SQLite format 3\0 and no more".utf8).write(to: URL(filePath: file))
        expect(.corrupt) { _ = try StoreBackup.check(file) }
    }

    private func backup() throws -> String {
        try FileManager.default.createDirectory(atPath: other.path, withIntermediateDirectories: true)
        let path = "\(other.path)/\(UUID().uuidString).db"
        _ = try StoreBackup.copy(folder: folder.path, to: path)
        return path
    }

    private func expect(_ code: StorageError.Code, _ body: () throws -> Void) {
        let error = #expect(throws: StorageError.self) { try body() }
        #expect(error?.code == code)
    }
}
