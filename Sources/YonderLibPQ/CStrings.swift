#if Postgres
import Foundation

/// Passes texts to `body` as C has them: an array of pointers that a null pointer ends, good during the call.
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
