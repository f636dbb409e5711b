#if Postgres
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Passes texts to `body` as a C array of strings, which a null pointer ends; the array is valid during the call.
///
/// `Link` calls it to connect, whose keywords and values libpq wants so. The pointers must not be kept beyond `body`.
func withCStrings<Value>(
    _ texts: [String],
    _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Value
) -> Value {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return (copies.map { UnsafePointer<CChar>($0) } + [nil]).withUnsafeBufferPointer {
        body($0.baseAddress)
    }
}
#endif
