package import YonderGeodesy
import YonderModel
package import YonderSQLite

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Backups of a data folder's database, and their restoration.
///
/// A copy contains all commits from before it began, and no content erased before. It is a complete database
/// without a log.
///
/// `BackupCommand` calls ``copy(folder:to:)``, also while a server runs; `RestoreCommand` calls ``restore(_:into:)``.
/// Both block, and read all of a copy back. A failure leaves the source as it is, and at most a copy that isn't named
/// yet.
///
/// That no sign-in of a browser, link or invitation is restored must stay (`Documentation/operations.md`), and that the
/// data folder gets its name last. `StoreBackupTests` and `test_backup.py` hold both, with kills at any moment. The size
/// of a flushed piece may be changed.
package enum StoreBackup {
    /// The name of the database in a data folder and in a backup.
    package static let databaseName = "yonder.db"

    /// The content of a copy, read back from the file.
    package struct Contents: Hashable, Sendable {
        /// The version of its schema.
        package var version: Int
        /// How many accounts it has.
        package var accounts: Int
        /// How many chats it has.
        package var chats: Int
        /// How many messages it has.
        package var messages: Int
        /// How many objects it has.
        package var objects: Int
    }

    /// The version of the schema that this program writes, and the newest that it reads.
    package static var newestVersion: Int { SQLiteStore.migrations.count }

    /// Copies the database of `folder` into the new file `path`, flushes the copy, and reads all of it back.
    ///
    /// A server may have the folder open: neither waits for the other, and the copy is flushed in pieces.
    ///
    /// - Returns: The content of the copy.
    /// - Throws: ``StorageError``: `inaccessible` if the folder has no database, or the copy can't be
    ///   written; `corrupt` if the copy is damaged.
    package static func copy(folder: String, to path: String) throws(StorageError) -> Contents {
        let source = "\(folder)/\(databaseName)"
        guard FileSize.bytes(of: source) != nil else {
            throw StorageError(.inaccessible, "\(folder) has no database: \(databaseName) isn't there.")
        }
        PrivateFile.prepare(path)
        do {
            var settings = Self.readonly
            settings.patience = 10_000
            settings.keepLog()
            let database = try DatabaseQueue(path: source, settings: settings)
            try database.inDatabase { try write($0, to: path) }
            try database.close()
        } catch {
            throw StorageError(.inaccessible, "\(source) can't be copied to \(path): \(error).")
        }
        guard FileFlush.flush(path) else { throw StorageError(.inaccessible, "\(path) can't be flushed.") }
        return try check(path)
    }

    /// Writes a copy in flushed pieces, so that the commits of the server needn't wait for all of it.
    private static func write(_ database: Database, to path: String) throws {
        let copy = { try database.execute(sql: "VACUUM INTO ?", arguments: [path]) }
        guard let flush = PacedFlush(path) else { return try copy() }
        try flush.during(database, copy)
    }

    /// Reads all of a copy.
    ///
    /// - Throws: ``StorageError``: `corrupt` if the file isn't an intact database, `newerVersion` if a newer
    ///   program wrote it.
    package static func check(_ path: String) throws(StorageError) -> Contents {
        do {
            let database = try DatabaseQueue(path: path, settings: Self.readonly)
            defer { try? database.close() }
            return try database.inDatabase { try contents(of: $0, path) }
        } catch let error as StorageError {
            throw error
        } catch {
            throw StorageError(.corrupt, "\(path) is damaged, or not a database: \(error).")
        }
    }

    private static func contents(of database: Database, _ path: String) throws -> Contents {
        let finding = try String.fetchOne(database, sql: "PRAGMA integrity_check(1)") ?? "ok"
        guard finding == "ok" else { throw StorageError(.corrupt, "\(path) is damaged: \(finding).") }
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard version <= newestVersion else {
            throw StorageError(
                .newerVersion,
                "\(path) has version \(version), this program knows \(newestVersion). Use a newer program."
            )
        }
        let count = { (rows: String) in try Int.fetchOne(database, sql: "SELECT count(*) FROM \(rows)") ?? 0 }
        let hasObjects = version >= 2
        return Contents(
            version: version,
            accounts: try count("account"),
            chats: try count("chat"),
            messages: try count("message") + count("recent WHERE \(RecentRow.isWaiting)"),
            objects: hasObjects ? try count("object") : 0
        )
    }

    /// Creates the data folder `folder` from a checked copy, under the folder's lock.
    ///
    /// Sessions, tokens, sign-in links and invitations of the copy are removed: those that were ended or used after
    /// the backup would be valid again. For the same reason the shares that ran at the backup end when the folder is first
    /// opened (``RestoredShares``). The database gets its name when it is complete and flushed: a process
    /// that is killed before leaves only a file that the next call replaces.
    ///
    /// - Parameters:
    ///   - path: The copy.
    ///   - folder: A folder that doesn't exist, or is empty.
    ///   - now: The time, at which the shares end.
    ///   - keepsTokens: Whether programs' tokens stay, those that were removed after the backup among them; tokens for
    ///     accounts never do.
    /// - Throws: ``StorageError``: `inUse`, `notEmpty`, `newerVersion`, `corrupt` or `inaccessible`.
    package static func restore(
        _ path: String,
        into folder: String,
        at now: Timestamp,
        keepsTokens: Bool = false
    ) throws(StorageError) {
        _ = try check(path)
        // A folder that isn't a data folder stays unchanged.
        if FileSize.bytes(of: "\(folder)/lock") == nil { try checkEmpty(folder) }
        let lock = try FolderLock(folder: folder)
        defer { lock.release() }
        try checkEmpty(folder)
        let target = "\(folder)/\(databaseName)"
        let partial = "\(folder)/\(partialName)"
        removePartial(in: folder)
        PrivateFile.prepare(partial)
        do {
            let copy = try DatabaseQueue(path: path, settings: readonly)
            try copy.inDatabase { try $0.execute(sql: "VACUUM INTO ?", arguments: [partial]) }
            try copy.close()
            let restored = try DatabaseQueue(path: partial)
            try restored.write { database in
                try database.execute(
                    sql: """
                        DELETE FROM credential WHERE \(keepsTokens ? "kind <> 'token'" : "true");
                        DELETE FROM invitation;
                        """
                )
                try RestoredShares.mark(database, at: now)
            }
            try restored.close()
        } catch {
            throw StorageError(.inaccessible, "\(path) can't be restored into \(folder): \(error).")
        }
        _ = try check(partial)
        guard FileFlush.flush(partial), rename(partial, target) == 0, FolderFlush.flush(folder) else {
            throw StorageError(.inaccessible, "\(target) can't be written.")
        }
    }

    /// Removes what a killed restoration has left, under the folder's lock: a whole copy, with what was erased since.
    ///
    /// A restoration gives its copy the database's name by renaming, so the database is never among these files.
    static func removePartial(in folder: String) {
        for ending in endings { unlink("\(folder)/\(partialName)\(ending)") }
    }

    private static let partialName = "restoring.db"
    private static let endings = ["", "-journal", "-wal", "-shm"]

    /// Flushes the names in `folder` to the disk.
    ///
    /// - Returns: Whether the flush succeeded.
    package static func flush(folder: String) -> Bool {
        FolderFlush.flush(folder)
    }

    private static var readonly: DatabaseSettings {
        var settings = DatabaseSettings()
        settings.isReadOnly = true
        return settings
    }

    /// Checks that a folder doesn't exist, or contains only files of a killed restoration.
    private static func checkEmpty(_ folder: String) throws(StorageError) {
        let allowed = Set(endings.map { partialName + $0 } + ["lock"])
        guard let name = FolderNames.names(in: folder)?.first(where: { !allowed.contains($0) }) else {
            return
        }
        throw StorageError(.notEmpty, "\(folder) isn't empty: it has \(name). Name a new or an empty folder.")
    }
}

/// The names in a folder.
private enum FolderNames {
    /// Every name but `.` and `..`; `nil` if the folder can't be read.
    static func names(in folder: String) -> [String]? {
        guard let stream = opendir(folder) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
