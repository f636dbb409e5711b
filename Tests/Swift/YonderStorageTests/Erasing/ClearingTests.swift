import Foundation
import TestSupport
import Testing
import YonderModel
import YonderRules
import YonderSQLite
import YonderTables

@testable import YonderStorage

/// What is derived from erased content leaves the rows and the files.
struct ClearingTests {
    private let folder = TemporaryFolder()

    /// The version before the mark of the clearing.
    private static let before = 21

    @Test func `no byte of an erased message's fingerprint is in the files after a round`() async throws {
        let store = try SQLiteStore.open(folder: folder.path)
        let home = try await Home(store)
        for number in 1...6 { try await store.submit(home.submission("text \(number)", key: "\(number)")) }
        // One half is erased where it waits, the other where it was moved.
        _ = try await store.chat(home.chat)
        for number in 7...12 { try await store.submit(home.submission("text \(number)", key: "\(number)")) }
        let prints = try (1...12).map { number in
            try #require(Self.print("text \(number)", home))
        }
        for number in [1, 2, 3, 7, 8, 9] as [Int64] {
            try await store.submit(
                Submission(
                    chat: home.chat,
                    sender: home.ada,
                    key: "recall \(number)",
                    action: .recall(number: number),
                    time: home.now
                )
            )
        }
        #expect(await store.removeLeftovers())
        try store.close()
        #expect(try found(prints, in: folder) == [4, 5, 6, 10, 11, 12].map { prints[$0 - 1] })
    }

    @Test func `rows that an earlier version left are cleared in steps, on from a kill in between`()
        async throws
    {
        // given rows of the version before, of which some were emptied
        try makeOld()
        var store = try SQLiteStore.open(folder: folder.path)
        #expect(!store.isCleared)
        // when a kill comes after two steps
        for _ in 1...2 { #expect(try await !store.clear(at: Home.time, limit: 7).isDone) }
        #expect(try await store.count("fingerprint = 0") == 7)
        let killed = try image()
        try store.close()
        store = try SQLiteStore.open(folder: killed.path)
        let mark = try await store.rows(Clearing.mark)
        #expect(try await store.clear(at: Home.time, limit: 7) != mark.first)
        await store.maintain(now: { Home.time }) { [store] in if store.isCleared { throw CancellationError() }
        }
        // then
        #expect(try await store.count("fingerprint = 0") == 20)
        #expect(try await store.count("fingerprint = 0 AND late IS NOT NULL AND late <> 0") == 0)
        #expect(try await store.count("late IS NOT NULL") == 10)
        #expect(try await store.count("fingerprint <> 0 AND content <> x''") == 20)
        #expect(try await store.clear(at: Home.time).isDone)
        #expect(await store.removeLeftovers())
        try store.close()
        let prints = (1...40).map(Self.oldPrint)
        #expect(
            try found(prints, in: killed) == prints.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        )
    }

    @Test func `a backup of the version before is cleared once it is restored`() async throws {
        try makeOld()
        let (backup, restored) = ("\(try folder.made())/backup.db", TemporaryFolder())
        _ = try StoreBackup.copy(folder: folder.path, to: backup)
        try StoreBackup.restore(backup, into: restored.path, at: Home.time)
        let store = try SQLiteStore.open(folder: restored.path)
        await store.maintain(now: { Home.time }) { if store.isCleared { throw CancellationError() } }
        #expect(try await store.count("fingerprint = 0") == 20)
        try store.close()
    }

    @Test func `a new database has nothing to clear, and the target of a migration all of its rows`()
        async throws
    {
        let store = try SQLiteStore.open(folder: folder.path)
        #expect(try await store.clear(at: Home.time).isDone)
        try await store.setIncomplete(true)
        #expect(try await store.rows(Clearing.mark).first?.isDone == false)
        try store.close()
    }

    /// Forty messages: each second one keeps its content; the others were emptied, or are starts of shares.
    private func makeOld() throws {
        let migrations = Array(SQLiteStore.migrations[..<Self.before])
        let old = try SQLiteFile(folder: folder.path, name: "yonder.db", migrations: migrations)
        try old.queue.sync {
            try old.transaction { database in
                try database.execute(
                    sql: "INSERT INTO chat (id, one_to_one, subject, first, created) VALUES (7, 0, '', 1, 1)"
                )
                for number in 1...40 {
                    let tag = number % 4 == 1 ? "Location" : number % 8 == 3 ? "Share" : "Text"
                    let isKept = number % 2 == 0 || tag == "Share"
                    try database.execute(
                        sql: """
                            INSERT INTO message (chat, number, sender, tag, content, time, key, fingerprint, late)
                            VALUES (7, ?, 1, ?, ?, 5, ?, ?, ?)
                            """,
                        arguments: [
                            number, tag, isKept ? Array("kept".utf8) : [UInt8](), Array("\(number)".utf8),
                            Self.oldPrint(number), tag == "Location" ? number : nil,
                        ]
                    )
                }
            }
        }
        try old.close()
    }

    private static func oldPrint(_ number: Int) -> Int64 { 0x5e61_77a3_1200_0000 + Int64(number) * 77_777 }

    private static func print(_ text: String, _ home: Home) -> Int64? {
        home.submission(text, key: "").fingerprint
    }

    /// Those whose bytes, as SQLite stores a number, are in a file of the folder.
    private func found(_ prints: [Int64], in folder: TemporaryFolder) throws -> [Int64] {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).map {
            try Data(contentsOf: URL(filePath: "\(folder.path)/\($0)"))
        }
        return prints.filter { print in
            let bytes = withUnsafeBytes(of: print.bigEndian) { Data($0) }
            return files.contains { $0.range(of: bytes) != nil }
        }
    }

    /// What a kill at this moment leaves; the index of the log doesn't outlive the processes that use it.
    private func image() throws -> TemporaryFolder {
        let image = TemporaryFolder()
        let path = try image.made()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where !name.hasSuffix("-shm") {
            try FileManager.default.copyItem(atPath: "\(folder.path)/\(name)", toPath: "\(path)/\(name)")
        }
        return image
    }
}

extension SQLiteStore {
    fileprivate func count(_ condition: String) async throws -> Int {
        try await file.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM message WHERE \(condition)") ?? 0
        }
    }
}
