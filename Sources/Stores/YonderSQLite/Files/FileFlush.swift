#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Flushes a file to the disk.
package enum FileFlush {
    /// Flushes the file at `path`.
    ///
    /// - Returns: Whether the flush succeeded.
    package static func flush(_ path: String) -> Bool {
        flush(path, O_RDONLY | O_CLOEXEC)
    }

    fileprivate static func flush(_ path: String, _ flags: CInt) -> Bool {
        let descriptor = open(path, flags)
        guard descriptor >= 0 else { return false }
        let isFlushed = fsync(descriptor) == 0
        return close(descriptor) == 0 && isFlushed
    }
}

/// Flushes the names in a folder to the disk: without its name, a flushed file is lost.
///
/// SQLite ignores a failure of this for its log, so ``SQLiteFile`` does it itself before any write is
/// acknowledged.
package enum FolderFlush {
    /// Flushes the folder at `path`.
    ///
    /// - Returns: Whether the flush succeeded.
    package static func flush(_ path: String) -> Bool {
        FileFlush.flush(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
}
