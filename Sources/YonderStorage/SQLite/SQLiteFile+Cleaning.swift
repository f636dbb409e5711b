import GRDB
import YonderModel

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

extension SQLiteFile {
    /// The result of ``clean()``.
    enum Cleaning: Equatable {
        /// There was no erased content to remove.
        case notNeeded
        /// The database was rewritten.
        case done
        /// The disk lacks room for a second copy; this many bytes are needed.
        case noRoom(neededBytes: Int64)
    }

    /// Rewrites a database of an earlier version, which kept erased content, without that content; on
    /// ``queue`` alone.
    ///
    /// A copy is created beside it and then renamed: a killed process leaves one or the other. At the next
    /// start an unfinished copy is created again.
    ///
    /// - Throws: ``StorageError`` or `DatabaseError`; the database is unchanged, or is the copy.
    func clean() throws -> Cleaning {
        let copy = "\(path)-cleaned"
        for file in [copy, copy + "-journal"] { unlink(file) }
        let isClean = try guarded { try Self.isClean($0) }
        guard !isClean else { return .notNeeded }
        let needed = (FileSize.bytes(of: path) ?? 0) + 2 * Int64(Reserve.size)
        guard FreeRoom.bytes(at: folder) ?? .max >= needed else { return .noRoom(neededBytes: needed) }
        PrivateFile.prepare(copy)
        try guarded { try $0.execute(sql: "VACUUM INTO ?", arguments: [copy]) }
        try Self.markClean(copy)
        try replace(with: copy)
        return .done
    }

    private static func isClean(_ database: Database) throws -> Bool {
        try Int.fetchOne(database, sql: "SELECT value FROM upkeep WHERE name = 'cleaned'") ?? 1 != 0
    }

    private static func markClean(_ path: String) throws {
        let copy = try DatabaseQueue(path: path)
        try copy.write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO upkeep (name, value) VALUES ('cleaned', 1)"
            )
        }
        try copy.close()
        guard FileFlush.flush(path) else {
            throw StorageError(.inaccessible, "\(path) can't be flushed.")
        }
    }

    /// Renames the copy to the database's name, while no connection is open.
    private func replace(with copy: String) throws {
        markBroken()
        try closeConnections()
        // A remaining log belongs to the old file: the next start tries again.
        guard FileSize.bytes(of: path + "-wal") ?? 0 == 0 else {
            unlink(copy)
            return try reopen()
        }
        guard rename(copy, path) == 0, FolderFlush.flush(folder) else {
            throw StorageError(.inaccessible, "\(copy) can't be renamed.")
        }
        try reopen()
    }
}

/// The free room on a disk.
enum FreeRoom {
    /// The bytes that this user may still write to the disk of `folder`; `nil` if unknown.
    static func bytes(at folder: String) -> Int64? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        return Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }
}
