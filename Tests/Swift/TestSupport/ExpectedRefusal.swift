package import Testing
package import YonderModel

/// Expects that `body` is refused with a code.
package func expect<Value>(
    _ code: SharingError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws(SharingError) -> Value
) {
    do throws(SharingError) {
        let value = try body()
        Issue.record("\(code) was expected, came \(value)", sourceLocation: sourceLocation)
    } catch {
        #expect(error.code == code, sourceLocation: sourceLocation)
    }
}
