import Foundation
import Synchronization
import TestSupport
import Testing
import YonderModel
import YonderRules
import YonderSQLite

@testable import YonderStorage

/// A process may be killed at each step of erasing: after the next start and a round no erased byte is in the files.
struct ErasingKilledTests {
    private let folder = TemporaryFolder()

    @Test func `erased content is gone after a kill at any step of a round`() async throws {
        // given erased content in the log, in the pages of its rows and in copies that divided pages keep
        let store = try SQLiteStore(folder: folder.path, recentLimit: 20)
        let home = try await Home(store)
        for number in 1...120 {
            let size = [30, 300, 5_000][number % 3]
            let text = String(repeating: "GONE\(number % 2 == 0 ? "no" : "yes") ", count: size / 8)
            try await store.submit(home.submission(text, key: "\(number)"))
            if number % 40 == 0 { _ = try await store.chat(home.chat) }
        }
        var images = [try image()]
        for number in stride(from: 1, through: 119, by: 2) { try await recall(number, home, store) }
        // when a kill comes at each step
        images.append(try image())
        try await store.write(isErasing: true) { _ = try $1.removeMoved(behind: .min, limit: 9, in: $0) }
        images.append(try image())
        try await store.file.carryLog()
        images.append(try image())
        _ = try store.file.queue.sync { try store.file.truncateLog() }
        images.append(try image())
        try store.close()
        images.append(try image())
        // then
        for (step, image) in images.enumerated().dropFirst() { try await expectGone(image, "step \(step)") }
    }

    @Test(arguments: [0, 1, 3])
    func `the reading of a file of before goes on after a kill, and ends without leftovers`(steps: Int)
        async throws
    {
        // given a file that another program has written, with leftovers in its pages
        var store = try SQLiteStore(folder: folder.path)
        let home = try await Home(store)
        for number in 1...5 { try await store.submit(home.submission("GONEno", key: "\(number)")) }
        #expect(await store.removeLeftovers())
        try store.close()
        try leaveLeftovers()
        store = try SQLiteStore(folder: folder.path)
        #expect(store.scrubbing.withLock(\.next) == 1)
        // when
        var places: [Int64] = []
        for _ in 0..<steps {
            let step = try await store.file.scrub(from: places.last ?? 1, pages: 8)
            let next = try #require(step.next)
            #expect(step.read == 8)
            try await store.write { database, _ in
                try database.execute(
                    sql: "UPDATE upkeep SET value = ? WHERE name = 'scrubbed'",
                    arguments: [next]
                )
            }
            places.append(next)
        }
        let killed = try image()
        try store.close()
        // then it goes on where it was
        store = try SQLiteStore(folder: killed.path)
        #expect(store.scrubbing.withLock(\.next) == places.last ?? 1)
        try store.close()
        try await expectGone(killed, "after \(steps) steps")
    }

    private func recall(_ number: Int, _ home: Home, _ store: SQLiteStore) async throws {
        try await store.submit(
            Submission(
                chat: home.chat,
                sender: home.ada,
                key: "recall \(number)",
                action: .recall(number: Int64(number)),
                time: home.now
            )
        )
    }

    /// Divides pages as another program does, and deletes the rows, of which copies stay.
    private func leaveLeftovers() throws {
        let shell = try DatabaseQueue(path: "\(folder.path)/yonder.db")
        try shell.inDatabase { database in
            try database.execute(
                sql: """
                    PRAGMA secure_delete = ON;
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
                    INSERT INTO message (chat, number, sender, tag, content, time, fingerprint)
                    SELECT 5, (i * 7919) % 2003, 1, 'Text', CAST('GONEyes ' || i || ' GONEyes' AS BLOB), i, i FROM n;
                    UPDATE message SET content = x'' WHERE chat = 5;
                    """
            )
        }
        try shell.close()
        #expect(try count("GONEyes", in: folder) > 0)
    }

    private func expectGone(_ folder: TemporaryFolder, _ step: String) async throws {
        let store = try SQLiteStore(folder: folder.path)
        #expect(await store.removeLeftovers(), "\(step)")
        #expect(try count("GONEyes", in: folder) == 0, "\(step)")
        #expect(try count("GONEno", in: folder) > 0, "\(step)")
        let finding = try await store.file.pool.read {
            try String.fetchOne($0, sql: "PRAGMA integrity_check")
        }
        #expect(finding == "ok", "\(step)")
        try store.close()
        #expect(try count("GONEyes", in: folder) == 0, "\(step)")
    }

    private func count(_ text: String, in folder: TemporaryFolder) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).reduce(0) { count, name in
            let bytes = try Data(contentsOf: URL(filePath: "\(folder.path)/\(name)"))
            return count + (bytes.range(of: Data(text.utf8)) == nil ? 0 : 1)
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
