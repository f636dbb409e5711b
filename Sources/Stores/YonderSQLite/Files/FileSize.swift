#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The size of a file.
///
/// Stores and metrics ask, on any thread. `nil` is also the answer where the folder can't be read.
package enum FileSize {
    /// The size of the file at `path` in bytes; `nil` if there is none.
    package static func bytes(of path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : nil
    }
}
