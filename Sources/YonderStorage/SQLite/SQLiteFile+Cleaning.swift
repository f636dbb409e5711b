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
    /// What became of ``clean()``.
    enum Cleaning: Equatable {
        /// Nothing was to be done.
        case notNeeded
        /// The database was rewritten.
        case done
        /// There isn't room for a second copy of this many bytes.
        case noRoom(neededBytes: Int64)
    }

    /// Rewrites a database of an earlier version, which kept erased content, without it; on ``queue`` alone.
    ///
    /// A copy is made beside it and takes its place by its name: a process that is killed leaves the one or the other. At
    /// the next start a copy that was begun is made anew.
    ///
    /// - Throws: ``StorageError`` or `DatabaseError`; the database is as it was, or is the copy.
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

    /// Gives the copy the database's name, while nothing is open.
    private func replace(with copy: String) throws {
        markBroken()
        try closeConnections()
        // A log that stays belongs to the old file: the next start tries again.
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

/// The room on a disk.
enum FreeRoom {
    /// How many bytes this user may still write to the disk of `folder`; `nil` if that can't be found out.
    static func bytes(at folder: String) -> Int64? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        return Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }
}
