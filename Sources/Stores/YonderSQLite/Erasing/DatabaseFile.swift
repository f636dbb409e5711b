import CSQLite

/// The open file of a connection's database, used on the connection's queue alone.
///
/// `PageWrites`, `PageScrubber`, `WALIndex` and `Checkpointer` make one where they run, on their connection. Every call
/// goes through SQLite's own methods of the file, so that its locks aren't lost: a second `open` of the file and its
/// `close` would release them (POSIX). Offset 52 of the first page is SQLite's documented format.
///
/// A failure is a `DatabaseError`. `PageScrubberTests` and `CheckpointLedgerTests` use it on files of SQLite's; the
/// flush must stay as strong as SQLite's own at a checkpoint.
struct DatabaseFile {
    let pointer: UnsafeMutablePointer<sqlite3_file>

    init(pointer: UnsafeMutablePointer<sqlite3_file>) {
        self.pointer = pointer
    }

    /// - Throws: `DatabaseError` if the connection has no file.
    init(_ database: Database) throws {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let code = sqlite3_file_control(database.handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        guard code == SQLITE_OK, let file, file.pointee.pMethods != nil else {
            throw DatabaseError(resultCode: .cannotOpen, message: "The connection has no file.")
        }
        pointer = file
    }

    private var methods: sqlite3_io_methods { pointer.pointee.pMethods.pointee }

    /// The file's size; 0 if it can't be read.
    var bytes: Int64 {
        var size: sqlite3_int64 = 0
        return methods.xFileSize(pointer, &size) == SQLITE_OK ? size : 0
    }

    /// Reads bytes; zeros take the place of those behind the file's end.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws {
        let code = methods.xRead(pointer, buffer.baseAddress, CInt(buffer.count), offset)
        guard code != ResultCode.shortRead.rawValue else { return }
        try check(code)
    }

    /// Writes bytes.
    func write(_ buffer: UnsafeRawBufferPointer, at offset: Int64) throws {
        try check(methods.xWrite(pointer, buffer.baseAddress, CInt(buffer.count), offset))
    }

    /// Flushes the file.
    func flush() throws {
        try check(methods.xSync(pointer, SQLITE_SYNC_NORMAL))
    }

    /// Whether the database maps its pointers, which its first page shows.
    func hasPointerMap() throws -> Bool {
        var header = [UInt8](repeating: 0, count: 100)
        return try header.withUnsafeMutableBytes { header in
            try read(into: header, at: 0)
            return Self.hasPointerMap(UnsafeRawBufferPointer(header))
        }
    }

    /// Whether a database with this first page maps its pointers: then it names its largest root page.
    static func hasPointerMap(_ page: UnsafeRawBufferPointer) -> Bool {
        page[52..<56].contains { $0 != 0 }
    }

    private func check(_ code: CInt) throws {
        guard code == SQLITE_OK else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: code),
                message: "The database's file can't be read or written."
            )
        }
    }
}
