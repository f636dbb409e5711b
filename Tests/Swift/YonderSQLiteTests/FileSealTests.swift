import Foundation
import TestSupport
import Testing

@testable import YonderSQLite

struct FileSealTests {
    private let folder = TemporaryFolder()
    private let other = TemporaryFolder()
    private static let migrations = [
        Migration(sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;")
    ]

    @Test func `a closed file is trusted at the next start, a killed one by its log`() async throws {
        let file = try await filled()
        // given what a kill leaves
        let image = try copy()
        try file.close()
        // then
        let again = try open(folder)
        #expect(!again.isSuspected)
        try again.close()
        let killed = try open(image)
        #expect(!killed.isSuspected)
        try killed.close()
    }

    @Test(arguments: [
        "", "closed 1 2 3\n", "closed 1 2 3 4 5\n", "closed 1 2 x 4\n", "running", "runnin\n", "\u{0}\u{1}",
    ])
    func `a damaged seal proves nothing`(text: String) async throws {
        try await filled().close()
        try Data(text.utf8).write(to: URL(filePath: seal))
        let file = try open(folder)
        #expect(file.isSuspected)
        try file.close()
    }

    @Test func `the seal of another file, of an older state, or none proves nothing`() async throws {
        try await filled().close()
        // of another file: a copy
        let image = try copy()
        let copied = try open(image)
        #expect(copied.isSuspected)
        try copied.close()
        // of an older state: another program has written to the database since
        let shell = try DatabaseQueue(path: "\(folder.path)/any.db")
        try await shell.write { try $0.execute(sql: "INSERT INTO item VALUES (9, 'nine')") }
        try shell.close()
        let changed = try open(folder)
        #expect(changed.isSuspected)
        changed.queue.sync { changed.settleSuspicion() }
        try changed.close()
        // none
        try FileManager.default.removeItem(atPath: seal)
        let bare = try open(folder)
        #expect(bare.isSuspected)
        try bare.close()
    }

    @Test func `a suspicion outlives the process until it is settled`() async throws {
        try await filled().close()
        try FileManager.default.removeItem(atPath: seal)
        var file = try open(folder)
        #expect(file.isSuspected)
        // when that process is killed before it has stored that all pages must be read
        let image = try copy()
        try file.close()
        // then
        file = try open(image)
        #expect(file.isSuspected)
        file.queue.sync { file.settleSuspicion() }
        #expect(!file.isSuspected)
        try file.close()
        file = try open(image)
        #expect(!file.isSuspected)
        try file.close()
    }

    @Test func `a program that opens a killed server's database and closes it makes it suspect`() async throws
    {
        let file = try await filled()
        let image = try copy()
        try file.close()
        let shell = try DatabaseQueue(path: "\(image.path)/any.db")
        #expect(try await shell.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM item") } == 1)
        try shell.close()
        let next = try open(image)
        #expect(next.isSuspected)
        try next.close()
    }

    @Test func `another program can't make a checkpoint beside the server, and the server can`() async throws
    {
        let file = try await filled()
        let shell = try DatabaseQueue(path: "\(folder.path)/any.db")
        try await shell.write { try $0.execute(sql: "INSERT INTO item VALUES (9, 'nine')") }
        for mode in [Database.CheckpointMode.passive, .truncate] {
            let error = #expect(throws: DatabaseError.self) {
                try shell.inDatabase { try $0.checkpoint(mode) }
            }
            #expect(error?.resultCode == .busy)
        }
        try await file.carryLog()
        _ = try file.queue.sync { try file.truncateLog() }
        try shell.close()
        #expect(!file.isSuspected)
        try file.close()
    }

    private var seal: String { "\(folder.path)/any.db-scrubbed" }

    private func open(_ folder: TemporaryFolder) throws -> SQLiteFile {
        try SQLiteFile(folder: folder.path, name: "any.db", migrations: Self.migrations, isErasing: true)
    }

    private func filled() async throws -> SQLiteFile {
        let file = try open(folder)
        file.queue.sync { file.settleSuspicion() }
        try await file.write { try $0.execute(sql: "INSERT INTO item VALUES (1, 'one')") }
        return file
    }

    /// What a kill at this moment would leave; the index of the log doesn't outlive the processes that use it.
    private func copy() throws -> TemporaryFolder {
        let image = other
        try? FileManager.default.removeItem(atPath: image.path)
        _ = try image.made()
        for name in ["any.db", "any.db-wal", "any.db-scrubbed"]
        where FileManager.default.fileExists(atPath: "\(folder.path)/\(name)") {
            try FileManager.default.copyItem(
                atPath: "\(folder.path)/\(name)",
                toPath: "\(image.path)/\(name)"
            )
        }
        return image
    }
}
