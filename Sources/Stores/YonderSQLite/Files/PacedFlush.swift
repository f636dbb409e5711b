#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
import CSQLite
import Synchronization

/// Flushes a file that a statement writes, a piece at a time.
///
/// Flushing hundreds of MiB at once keeps the disk from every other flush for seconds, also from the commits of another
/// process. The statement waits for each piece, so no more than a piece is ever to be flushed.
///
/// `StoreBackup` writes its copy under it, on a connection of its own. A disk that fails interrupts the statement.
/// SQLite calls back every ``instructions`` of its machine, which must be often enough that no more than a piece is
/// written between. ``piece`` may be changed: larger pieces delay the server's commits (decision 15, `PacedFlushTests`).
package final class PacedFlush: Sendable {
    /// The bytes of a piece.
    package static let piece: Int64 = 1 << 20
    /// How many instructions of SQLite's virtual machine lie between two looks at the file's size.
    private static let instructions: CInt = 500

    private let descriptor: CInt
    private let flushed = Atomic<Int64>(0)
    private let pieces = Atomic(0)

    /// - Returns: `nil` if there is no file at `path`, or it can't be read.
    package init?(_ path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        close(descriptor)
    }

    /// How often the file was flushed.
    package var count: Int { pieces.load(ordering: .relaxed) }

    /// Runs `body`, whose statements on `database` write the file.
    ///
    /// - Returns: What `body` returns.
    /// - Throws: The errors of `body`; `DatabaseError` with `SQLITE_INTERRUPT` if the disk fails.
    package func during<Value>(_ database: Database, _ body: () throws -> Value) throws -> Value {
        sqlite3_progress_handler(
            database.handle,
            Self.instructions,
            { context in
                guard let context else { return 1 }
                return Unmanaged<PacedFlush>.fromOpaque(context).takeUnretainedValue().flushPiece() ? 0 : 1
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
        defer { sqlite3_progress_handler(database.handle, 0, nil, nil) }
        return try body()
    }

    private func flushPiece() -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        let bytes = Int64(status.st_size)
        guard bytes - flushed.load(ordering: .relaxed) >= Self.piece else { return true }
        flushed.store(bytes, ordering: .relaxed)
        pieces.add(1, ordering: .relaxed)
        return fsync(descriptor) == 0
    }
}
