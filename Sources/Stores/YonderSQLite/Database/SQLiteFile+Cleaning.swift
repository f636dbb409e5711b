#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

// The one rewriting of a database of version 0.0, which kept erased bytes. `SQLiteStore` asks for it at each start, and
// skips it once the mark is in the database. The copy takes the database's name only when it is complete and flushed: a
// kill leaves the old file, and at most `yonder.db-cleaned`, which the next start removes. Without room the start goes
// on uncleaned and says how much is needed (decision 15, `SQLiteFileTests`).

// The order of copy, mark and rename must stay.
extension SQLiteFile {
    /// The result of ``clean(unless:marking:)``.
    package enum Cleaning: Equatable {
        /// There was no erased content to remove.
        case notNeeded
        /// The database was rewritten.
        case done
        /// The disk lacks room for a second copy; this many bytes are needed.
        case noRoom(neededBytes: Int64)
    }

    /// Rewrites a database of an earlier version, which kept erased content, without that content; call it on
    /// ``queue``.
    ///
    /// A copy is created beside it and then renamed: a killed process leaves one or the other. At the next
    /// start an unfinished copy is created again.
    ///
    /// - Parameters:
    ///   - isClean: Whether the database has the mark of such a copy.
    ///   - mark: Marks the copy.
    /// - Returns: Whether the database was rewritten.
    /// - Throws: ``StorageError`` or `DatabaseError`; the database is unchanged, or is the copy.
    package func clean(
        unless isClean: (Database) throws -> Bool,
        marking mark: (Database) throws -> Void
    ) throws -> Cleaning {
        let copy = "\(path)-cleaned"
        for file in [copy, copy + "-journal"] { unlink(file) }
        guard try !guarded(isClean) else { return .notNeeded }
        let needed = (FileSize.bytes(of: path) ?? 0) + 2 * Int64(Reserve.size)
        guard FreeRoom.bytes(at: folder) ?? .max >= needed else { return .noRoom(neededBytes: needed) }
        PrivateFile.prepare(copy)
        try guarded { try $0.execute(sql: "VACUUM INTO ?", arguments: [copy]) }
        try Self.change(copy, by: mark)
        try replace(with: copy)
        return .done
    }

    /// Changes a database that no other connection has open, and flushes it.
    private static func change(_ path: String, by body: (Database) throws -> Void) throws {
        let copy = try DatabaseQueue(path: path)
        try copy.write(body)
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
