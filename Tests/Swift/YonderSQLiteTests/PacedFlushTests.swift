import Foundation
import TestSupport
import Testing
import YonderSQLite

struct PacedFlushTests {
    private let folder = TemporaryFolder()

    @Test func `a copy is flushed piece by piece while it is written, and is whole`() throws {
        let queue = try DatabaseQueue(path: "\(folder.made())/any.db")
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE item (id INTEGER PRIMARY KEY, bytes BLOB);
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
                    INSERT INTO item SELECT i, randomblob(500) FROM n;
                    """
            )
        }
        let path = "\(folder.path)/copy.db"
        PrivateFile.prepare(path)
        let flush = try #require(PacedFlush(path))
        try queue.inDatabase { database in
            try flush.during(database) { try database.execute(sql: "VACUUM INTO ?", arguments: [path]) }
        }
        let pieces = Int(try #require(FileSize.bytes(of: path)) / PacedFlush.piece)
        #expect(pieces >= 5)
        #expect((pieces - 2...pieces).contains(flush.count), "\(flush.count) of \(pieces)")
        let copy = try DatabaseQueue(path: path)
        #expect(try copy.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM item") } == 12_000)
    }
}
