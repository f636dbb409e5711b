#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
import Synchronization

/// An exclusive lock on a data folder, held until it is released or the process ends in any way.
///
/// `SQLiteFile` takes it before it opens a database, `StoreBackup` before it restores one. It is the system's lock of an
/// open file: a process that is killed releases it, and a file `lock` that is left there means nothing. That it is
/// released by hand must stay, because a child process may have a copy of the file (`FolderLockTests`). The name `lock`
/// must stay: programs of all versions agree by it.
package final class FolderLock: Sendable {
    /// `nil` once it is released.
    private let descriptor: Mutex<CInt?>

    /// Creates the folder if it is missing, readable only by its owner, and locks the file `lock` in it.
    ///
    /// `flock` locks an open file: a second owner in the same process is refused like one in another process.
    ///
    /// - Throws: ``StorageError`` with code `inUse` or `inaccessible`.
    package init(folder: String) throws(StorageError) {
        try Self.makeFolder(folder)
        let descriptor = Self.openFile("\(folder)/lock")
        guard descriptor >= 0 else {
            throw StorageError(.inaccessible, "\(folder) can't be written: \(Self.reason).")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isTaken = errno == EWOULDBLOCK
            close(descriptor)
            throw isTaken
                ? StorageError(.inUse, "\(folder) is in use by another process.")
                : StorageError(.inaccessible, "\(folder) can't be locked: \(Self.reason).")
        }
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        release()
    }

    /// Releases the lock, also while a program that is just being started still has a copy of the open file.
    package func release() {
        descriptor.withLock { descriptor in
            if let descriptor {
                flock(descriptor, LOCK_UN)
                close(descriptor)
            }
            descriptor = nil
        }
    }

    /// Opens the file to lock; on a disk that can't be written, an existing one for reading.
    private static func openFile(_ path: String) -> CInt {
        let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor < 0, errno == EROFS || errno == ENOSPC || errno == EDQUOT else { return descriptor }
        return open(path, O_RDONLY | O_CLOEXEC)
    }

    private static func makeFolder(_ folder: String) throws(StorageError) {
        var path = folder.hasPrefix("/") ? "" : "."
        for part in folder.split(separator: "/") {
            path += "/\(part)"
            guard mkdir(path, 0o700) == 0 || errno == EEXIST || errno == EISDIR || errno == EROFS else {
                throw StorageError(.inaccessible, "\(path) can't be made: \(reason).")
            }
        }
    }

    private static var reason: String { String(cString: strerror(errno)) }
}
