#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Files that nobody but their owner reads: some of what is in a database is secret.
enum PrivateFile {
    /// Makes an empty file that is its owner's alone before SQLite makes one that isn't; or, if there is one, takes it
    /// and the logs beside it from everyone else.
    ///
    /// SQLite gives its logs the database's permissions. A file of another user's stays as it is; whether it can be used
    /// shows when it is opened.
    static func prepare(_ path: String) {
        // A file that is there must not be opened here: closing it would give up the locks that SQLite has on it.
        let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
        for file in [path, path + "-wal", path + "-shm"] { _ = chmod(file, 0o600) }
    }
}
