import CSQLite

/// The index of the write-ahead log, which all connections to a database share:
/// <https://www.sqlite.org/walformat.html#the_wal_index_file_format>.
///
/// Belongs to its connection, which must be in WAL mode and have read once.
///
/// `Checkpointer` makes one for each call on its connection. The offsets are those of SQLite's documented file format
/// and must stay; another byte order or version of the format would need others. The lock that is held by this
/// connection isn't given up when another connection of the process closes, since all go through SQLite's own methods
/// (`CheckpointLedgerTests`).
struct WALIndex {
    /// The lock of checkpoints: one connection of all programs holds it.
    private static let checkpointLock: CInt = 1
    private static let regionSize: CInt = 32_768
    private static let framesOffset = 16
    private static let carriedOffset = 96

    private let file: DatabaseFile
    private let region: UnsafeRawPointer

    /// - Throws: `DatabaseError` if the index can't be mapped.
    init(_ database: Database) throws {
        file = try DatabaseFile(database)
        var region: UnsafeMutableRawPointer?
        let methods = file.pointer.pointee.pMethods.pointee
        guard methods.iVersion >= 2 else { throw Self.missing(SQLITE_CANTOPEN) }
        let code = methods.xShmMap(file.pointer, 0, Self.regionSize, 0, &region)
        guard code == SQLITE_OK, let region else { throw Self.missing(code) }
        self.region = UnsafeRawPointer(region)
    }

    /// How many of the log's frames checkpoints have carried into the database, since the log was restarted.
    var carried: UInt32 { region.load(fromByteOffset: Self.carriedOffset, as: UInt32.self) }

    /// What checkpoints have carried, and whether that is all of the log.
    ///
    /// A commit restarts the log only if all of it was carried.
    var progress: CheckpointProgress {
        let carried = carried
        // Read second: a frame that is appended between makes it incomplete, never complete.
        let frames = region.load(fromByteOffset: Self.framesOffset, as: UInt32.self)
        return CheckpointProgress(carried: carried, isComplete: carried == frames)
    }

    /// Takes the lock of checkpoints.
    ///
    /// - Returns: Whether no other connection had it.
    func lockCheckpoints() -> Bool {
        change(SQLITE_SHM_LOCK) == SQLITE_OK
    }

    /// Releases the lock of checkpoints.
    func unlockCheckpoints() {
        _ = change(SQLITE_SHM_UNLOCK)
    }

    private func change(_ flag: CInt) -> CInt {
        file.pointer.pointee.pMethods.pointee
            .xShmLock(file.pointer, Self.checkpointLock, 1, flag | SQLITE_SHM_EXCLUSIVE)
    }

    private static func missing(_ code: CInt) -> DatabaseError {
        DatabaseError(resultCode: ResultCode(rawValue: code), message: "The log's index can't be mapped.")
    }
}

/// Whether only one connection takes part in a checkpoint.
///
/// SQLite counts the carried frames after it has written them, so during a checkpoint the count stays what it was
/// before, unless another program has carried some between.
struct CheckpointWatch: @unchecked Sendable {
    // Safe because: the index is only read, and only while its connection is in use.
    private let index: WALIndex
    private let before: CheckpointProgress
    private(set) var isAlone = true

    init(_ index: WALIndex, before: CheckpointProgress) {
        self.index = index
        self.before = before
    }

    /// Call this at each page that the checkpoint writes.
    mutating func look() {
        if !before.allows(index.carried) { isAlone = false }
    }
}
