import GRDB

extension DatabaseError {
    /// Whether the file isn't a database, or is damaged.
    var isCorruption: Bool {
        resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB
    }

    /// Whether something outside the database is the reason: the disk is full, can't be written, or fails; or there is no memory.
    var isOfDisk: Bool {
        let codes: [ResultCode] = [
            .SQLITE_FULL, .SQLITE_READONLY, .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH,
            .SQLITE_BUSY,
            .SQLITE_LOCKED, .SQLITE_NOMEM,
        ]
        return codes.contains(resultCode)
    }
}
