import CSQLite
import Synchronization

/// Overwrites leftovers in each page that a connection writes to its database file.
///
/// In WAL mode that is at checkpoints: a page of the log may have leftovers, a page of the file never gets any. It
/// stands between SQLite and the methods of the connection's open file, as an SQLite VFS shim does:
/// <https://www.sqlite.org/c3ref/io_methods.html>.
///
/// `SQLiteFile` has one for a database from which content is erased, and lets it follow the writer and the
/// `Checkpointer`, the connections that write pages. A page whose kind isn't certain is written as it is, and counted.
/// An error of the file's own write goes back to SQLite unchanged.
///
/// That a page's bytes are copied before they are overwritten must stay, since SQLite still uses its own; so must the
/// order of the fields of `ShimMethods`, of which SQLite sees the first. What is a leftover is decided in ``PageLayout``
/// (decision 15, `PageWritesTests`).
package final class PageWrites: Sendable {
    private let log: String
    private let scrubbed = Atomic(0)
    private let unsure = Atomic(0)
    private let hasPointerMap = Atomic(false)
    private let watch = Mutex<CheckpointWatch?>(nil)

    /// Creates it for the database at `path`.
    package init(path: String) {
        log = path + "-wal"
    }

    /// The pages with leftovers that were written without them.
    package var scrubbedCount: Int { scrubbed.load(ordering: .relaxed) }

    /// How many pages may have been written with leftovers since the last call, because their kind isn't certain.
    func takeUnsure() -> Int { unsure.exchange(0, ordering: .relaxed) }

    /// Stands between SQLite and the file of a connection from now on, until the connection is closed.
    ///
    /// - Throws: `DatabaseError` if the connection has no file.
    package func follow(_ database: Database) throws {
        guard !database.settings.isReadOnly else { return }
        let file = try DatabaseFile(database)
        hasPointerMap.store(try file.hasPointerMap(), ordering: .relaxed)
        ShimMethods.install(on: file.pointer, for: self)
    }

    /// Calls `body`, a checkpoint, and returns whether only this connection took part in it.
    func watching<Value>(_ watched: CheckpointWatch, _ body: () throws -> Value) rethrows -> (
        Value, isAlone: Bool
    ) {
        watch.withLock { $0 = watched }
        let value = try body()
        let isAlone = watch.withLock { watch in
            defer { watch = nil }
            return watch?.isAlone ?? true
        }
        return (value, isAlone)
    }

    /// The layout of the file's pages as it is now.
    func layout(of file: DatabaseFile, pageSize: Int) -> PageLayout {
        // A page is in the file, or else it is in the log.
        let pages = file.bytes / Int64(pageSize) + (FileSize.bytes(of: log) ?? 0) / Int64(pageSize)
        return PageLayout(pageLimit: pages + 1, hasPointerMap: hasPointerMap.load(ordering: .relaxed))
    }

    /// Counts the pages that were scrubbed in place.
    func add(_ step: ScrubStep) {
        scrubbed.add(step.changed, ordering: .relaxed)
        unsure.add(step.unsure, ordering: .relaxed)
    }

    /// Counts the outcome of one page.
    func count(_ outcome: PageLayout.Outcome) {
        switch outcome {
        case .clean: break
        case .scrubbed: scrubbed.add(1, ordering: .relaxed)
        case .unsure: unsure.add(1, ordering: .relaxed)
        }
    }

    /// Writes a page without its leftovers.
    fileprivate func write(
        _ bytes: UnsafeRawBufferPointer,
        at offset: Int64,
        to file: DatabaseFile,
        with write: (UnsafeRawPointer) -> CInt
    ) -> CInt {
        watch.withLock { $0?.look() }
        guard let start = bytes.baseAddress else { return SQLITE_MISUSE }
        guard bytes.count >= 512, offset % Int64(bytes.count) == 0 else { return write(start) }
        if offset == 0 { hasPointerMap.store(DatabaseFile.hasPointerMap(bytes), ordering: .relaxed) }
        return withUnsafeTemporaryAllocation(byteCount: bytes.count, alignment: 16) { page in
            page.copyMemory(from: bytes)
            let layout = layout(of: file, pageSize: bytes.count)
            count(layout.scrub(page, number: offset / Int64(bytes.count) + 1))
            return page.baseAddress.map { write(UnsafeRawPointer($0)) } ?? SQLITE_NOMEM
        }
    }
}

/// The methods of an open file, with those that ``PageWrites`` replaces; SQLite sees only the first field.
private struct ShimMethods {
    var methods: sqlite3_io_methods
    var original: UnsafePointer<sqlite3_io_methods>
    var owner: Unmanaged<PageWrites>

    static func install(on file: UnsafeMutablePointer<sqlite3_file>, for owner: PageWrites) {
        guard let original = file.pointee.pMethods, original.pointee.xWrite != nil else { return }
        let shim = UnsafeMutablePointer<ShimMethods>.allocate(capacity: 1)
        shim.initialize(
            to: ShimMethods(methods: original.pointee, original: original, owner: .passRetained(owner))
        )
        shim.pointee.methods.xWrite = write
        shim.pointee.methods.xClose = close
        file.pointee.pMethods = UnsafeRawPointer(shim).assumingMemoryBound(to: sqlite3_io_methods.self)
    }

    private static func of(_ file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<ShimMethods> {
        UnsafeMutableRawPointer(mutating: UnsafeRawPointer(file.pointee.pMethods))
            .assumingMemoryBound(to: ShimMethods.self)
    }

    private static let write:
        @convention(c) (UnsafeMutablePointer<sqlite3_file>?, UnsafeRawPointer?, CInt, sqlite3_int64) -> CInt =
            {
                file,
                bytes,
                count,
                offset in
                guard let file else { return SQLITE_MISUSE }
                let shim = of(file)
                let original = shim.pointee.original.pointee
                let owner = shim.pointee.owner.takeUnretainedValue()
                let page = UnsafeRawBufferPointer(start: bytes, count: Int(count))
                return owner.write(page, at: offset, to: DatabaseFile(pointer: file)) { start in
                    original.xWrite(file, start, count, offset)
                }
            }

    /// Closes the file with its own methods, and frees those that stood before them.
    private static let close: @convention(c) (UnsafeMutablePointer<sqlite3_file>?) -> CInt = { file in
        guard let file else { return SQLITE_MISUSE }
        let shim = of(file)
        let original = shim.pointee.original
        shim.pointee.owner.release()
        shim.deallocate()
        file.pointee.pMethods = original
        return original.pointee.xClose(file)
    }
}
