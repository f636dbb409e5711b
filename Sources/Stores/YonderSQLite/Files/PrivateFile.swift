#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Files that only their owner may read, because a database contains secrets.
///
/// `SQLiteFile` and backups call it before SQLite makes a file; the log and its index get the database's permissions. A
/// failure is left to SQLite, which then can't open the file either.
package enum PrivateFile {
    /// Creates an empty file that only its owner may read, before SQLite creates one with other permissions.
    ///
    /// If the file exists, restricts its permissions and those of the logs beside it. SQLite gives its logs
    /// the database's permissions. A file of another user stays unchanged; opening it shows whether it can be
    /// used.
    package static func prepare(_ path: String) {
        // An existing file must not be opened here: closing it would release SQLite's locks on it.
        let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
        for file in [path, path + "-wal", path + "-shm"] { _ = chmod(file, 0o600) }
    }
}
