import Foundation
import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules
import YonderTables

@testable import YonderStorage

struct SQLiteKeyTests {
    private let folder = TemporaryFolder()

    @Test(arguments: KeyRule.all)
    func `a store on disk keeps the rule of keys`(rule: KeyRule) async throws {
        let store = try SQLiteStore.open(folder: folder.path)
        try await rule.check(store)
        try store.close()
    }

    @Test func `a key is there after a restart`() async throws {
        var store = try SQLiteStore.open(folder: folder.path)
        let secret = SigningSecret.random()
        let created = Timestamp(milliseconds: 1)
        let key = try #require(SigningKey(id: "a", name: "App", rights: .write, created: created))
        try await store.createSigningKey(key, secret: secret)
        #expect(try await store.signingKey("a")?.secret == secret)
        try store.close()
        store = try SQLiteStore.open(folder: folder.path)
        #expect(try await store.signingKey("a")?.key == key)
        try store.close()
    }

    @Test func `nobody but their owner reads the database and its logs`() async throws {
        let store = try SQLiteStore.open(folder: folder.path)
        _ = try await store.removeSigningKey("nobody")
        for name in ["yonder.db", "yonder.db-wal", "yonder.db-shm"] {
            #expect(try permissions(name) == 0o600, "\(name)")
        }
        try store.close()
    }

    @Test func `a database that others could read is taken from them when it is opened`() async throws {
        try SQLiteStore.open(folder: folder.path).close()
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644],
            ofItemAtPath: "\(folder.path)/yonder.db"
        )
        try SQLiteStore.open(folder: folder.path).close()
        #expect(try permissions("yonder.db") == 0o600)
    }

    private func permissions(_ name: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }
}
