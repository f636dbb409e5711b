#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Says of a database, in a small file beside it, that no page in it has leftovers: bytes of erased content in a page's
/// unused parts.
///
/// While the program runs, ``running`` says so for the pages that come out of the log. When the database is closed,
/// ``closed(_:)`` has the database's identity, size and time of change: a database that was changed, restored or copied
/// afterward almost always differs.
///
/// `SQLiteFile+Erasing.swift` loads the seal when the database is opened. It removes the seal when another program may have
/// written pages, stores ``running`` after it is stored in the database that all pages are to be read, and stores
/// ``closed(_:)`` at the close. Without a seal that fits, all pages are read and the leftovers overwritten, which takes
/// about as long as reading the file.
///
/// The text of a seal is on disk and must stay readable; an unknown one counts as none (decision 15, `FileSealTests`).
enum FileSeal: Equatable {
    /// A program runs, or was killed: then the log still has what may not be in the database yet.
    case running
    /// The database was closed, and was then this file.
    case closed(FileMark)

    private static let limit = 128

    /// The seal at `path`; `nil` if there is none, or it is damaged.
    static func load(_ path: String) -> FileSeal? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = read(descriptor, &bytes, limit)
        guard count > 0 else { return nil }
        return FileSeal(text: String(decoding: bytes.prefix(count), as: UTF8.self))
    }

    /// The seal of a text; `nil` if it is anything but ``text``.
    init?(text: String) {
        guard text.last == "\n" else { return nil }
        let words = text.dropLast().split(separator: " ", omittingEmptySubsequences: false)
        if words == ["running"] {
            self = .running
            return
        }
        let numbers = words.dropFirst().compactMap { Int64($0) }
        guard words.first == "closed", words.count == 5, numbers.count == 4 else { return nil }
        self = .closed(
            FileMark(file: numbers[0], bytes: numbers[1], seconds: numbers[2], nanoseconds: numbers[3])
        )
    }

    /// The seal as a line of text.
    var text: String {
        switch self {
        case .running: "running\n"
        case .closed(let mark): "closed \(mark.file) \(mark.bytes) \(mark.seconds) \(mark.nanoseconds)\n"
        }
    }

    /// Whether a database that is to be opened has only pages without leftovers.
    ///
    /// - Parameters:
    ///   - seal: The seal beside it.
    ///   - mark: The database's file now; `nil` if there is none.
    ///   - logBytes: The size of its log. A program that opens the database after a kill and closes it removes the log.
    /// - Returns: Whether the seal proves it.
    static func proves(_ seal: FileSeal?, mark: FileMark?, logBytes: Int64) -> Bool {
        switch seal {
        case nil: false
        case .running: logBytes > 0
        case .closed(let closed): closed == mark
        }
    }

    /// Writes the seal in place of the one at `path`, and flushes it.
    ///
    /// - Returns: Whether it is on the disk; without it the next start reads all of the database.
    @discardableResult
    func store(_ path: String, in folder: String) -> Bool {
        let part = "\(path)-new"
        let descriptor = open(part, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        let bytes = Array(text.utf8)
        let isWritten = write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
        guard close(descriptor) == 0, isWritten, rename(part, path) == 0 else {
            unlink(part)
            return false
        }
        return FolderFlush.flush(folder)
    }

    /// Removes the seal at `path`.
    static func remove(_ path: String, in folder: String) {
        if unlink(path) == 0 { _ = FolderFlush.flush(folder) }
    }
}

/// A file as the disk knows it: another file, or another content, has another mark.
struct FileMark: Equatable, Sendable {
    var file: Int64
    var bytes: Int64
    var seconds: Int64
    var nanoseconds: Int64
}

extension FileMark {
    /// The mark of the file at `path`; `nil` if there is none.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let changed = Self.changed(status)
        self.init(
            file: Int64(truncatingIfNeeded: status.st_ino),
            bytes: Int64(status.st_size),
            seconds: Int64(changed.tv_sec),
            nanoseconds: Int64(changed.tv_nsec)
        )
    }

    #if canImport(Darwin)
    private static func changed(_ status: stat) -> timespec { status.st_mtimespec }
    #else
    private static func changed(_ status: stat) -> timespec { status.st_mtim }
    #endif
}
