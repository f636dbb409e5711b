#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Why the system refused to open, read or make a file.
///
/// `BackupCommand` and `SettingsFile` print it behind a path. Only the system's reason is printed, because Foundation's
/// own text repeats the path in words of its own. Nothing fails.
struct FileRefusal: CustomStringConvertible {
    /// The system's words, such as *No such file or directory*.
    let description: String

    /// The reason of an error that Foundation threw; the error itself where the system gave no reason.
    init(_ error: any Error) {
        let cause = (error as? CocoaError)?.underlying ?? error
        description = (cause as? POSIXError).map { String(cString: strerror($0.code.rawValue)) } ?? "\(error)"
    }
}
