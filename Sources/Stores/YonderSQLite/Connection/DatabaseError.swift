import CSQLite

/// A failure that SQLite reports: <https://www.sqlite.org/rescode.html>.
///
/// Every function of `Connection` that fails throws one; the stores decide by ``ResultCode`` whether a disk failed, a
/// lock was taken or a constraint was hurt, and show callers `unavailable`. Messages are SQLite's, for the operator's
/// log, and have no values of rows. The numbers of codes are SQLite's and must stay.
///
/// `DatabaseTests` and `StoreFailureTests` decide by codes of real failures.
package struct DatabaseError: Error, Sendable, CustomStringConvertible {
    /// The code with its details, as `SQLITE_IOERR_FSYNC`.
    package let extendedResultCode: ResultCode

    /// SQLite's text for people, if there is one.
    package let message: String?

    /// Creates a failure with a primary or an extended code.
    package init(resultCode: ResultCode, message: String? = nil) {
        extendedResultCode = resultCode
        self.message = message
    }

    /// Reads the text of a connection's last failure.
    init(_ code: CInt, of connection: OpaquePointer?) {
        self.init(
            resultCode: ResultCode(rawValue: code),
            message: connection.map { String(cString: sqlite3_errmsg($0)) }
        )
    }

    /// The code without its details, as `SQLITE_IOERR`.
    package var resultCode: ResultCode { ResultCode(rawValue: extendedResultCode.rawValue & 0xFF) }

    package var description: String {
        "SQLite error \(extendedResultCode.rawValue)" + (message.map { ": \($0)" } ?? "")
    }

    /// The refusal of a connection that was closed.
    static let closed = DatabaseError(resultCode: .misuse, message: "The database is closed.")

    /// Whether the file isn't a database, or is damaged.
    var isCorruption: Bool { resultCode == .corrupt || resultCode == .notADatabase }

    /// Whether something outside the database is the reason: the disk is full, can't be written, or fails; or there is
    /// no memory.
    var isOfDisk: Bool {
        let codes: [ResultCode] = [
            .full, .readOnly, .inputOutput, .cannotOpen, .permission, .authorization, .busy, .locked,
            .noMemory,
        ]
        return codes.contains(resultCode)
    }
}

/// A result code of SQLite's.
package struct ResultCode: RawRepresentable, Hashable, Sendable {
    package let rawValue: CInt

    package init(rawValue: CInt) {
        self.rawValue = rawValue
    }

    package static let authorization = Self(rawValue: SQLITE_AUTH)
    package static let busy = Self(rawValue: SQLITE_BUSY)
    package static let cannotOpen = Self(rawValue: SQLITE_CANTOPEN)
    package static let constraint = Self(rawValue: SQLITE_CONSTRAINT)
    package static let corrupt = Self(rawValue: SQLITE_CORRUPT)
    package static let full = Self(rawValue: SQLITE_FULL)
    package static let inputOutput = Self(rawValue: SQLITE_IOERR)
    package static let locked = Self(rawValue: SQLITE_LOCKED)
    package static let misuse = Self(rawValue: SQLITE_MISUSE)
    package static let noMemory = Self(rawValue: SQLITE_NOMEM)
    package static let notADatabase = Self(rawValue: SQLITE_NOTADB)
    package static let permission = Self(rawValue: SQLITE_PERM)
    package static let readOnly = Self(rawValue: SQLITE_READONLY)

    /// Fewer bytes were read than asked for (`SQLITE_IOERR_SHORT_READ`, a macro that Swift doesn't see).
    static let shortRead = Self(rawValue: SQLITE_IOERR | (2 << 8))
}
