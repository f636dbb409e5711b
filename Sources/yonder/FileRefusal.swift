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
struct FileRefusal: CustomStringConvertible {
    /// The system's words, such as *No such file or directory*.
    let description: String

    /// The reason of an error that Foundation threw; the error itself where the system gave no reason.
    init(_ error: any Error) {
        let cause = (error as? CocoaError)?.underlying ?? error
        description = (cause as? POSIXError).map { String(cString: strerror($0.code.rawValue)) } ?? "\(error)"
    }
}
