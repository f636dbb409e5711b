/// One row or feature of a file, or why it couldn't be read; the others can.
public struct FileRecord<Value: Hashable & Sendable, Failure: Error & Hashable>: Hashable, Sendable {
    /// Where it begins, in bytes from the beginning of the file.
    public let offset: Int

    /// The line that it begins in; the first is 1.
    public let line: Int

    /// What was read, or why not.
    public let result: Result<Value, Failure>

    /// Creates a record that begins at an offset and in a line.
    public init(offset: Int, line: Int, result: Result<Value, Failure>) {
        (self.offset, self.line, self.result) = (offset, line, result)
    }

    /// What was read, or `nil` if nothing was.
    public var value: Value? { try? result.get() }

    /// Why nothing was read, or `nil` if something was.
    public var failure: Failure? {
        if case .failure(let failure) = result { failure } else { nil }
    }
}
