#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The size of a file.
package enum FileSize {
    /// The size of the file at `path` in bytes; `nil` if there is none.
    package static func bytes(of path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : nil
    }
}
