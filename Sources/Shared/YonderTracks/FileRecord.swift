/// One row or feature of a file, or the reason why it can't be read while the others can.
///
/// `CSVReader` and `GeoJSONReader` deliver it; the server's import takes the line and the offset into its report (`CSVTests`,
/// `GeoJSONTests`).
public struct FileRecord<Value: Hashable & Sendable, Failure: Error & Hashable>: Hashable, Sendable {
    /// The offset of its beginning, in bytes from the beginning of the file.
    public let offset: Int

    /// The line in which it begins; the first is 1.
    public let line: Int

    /// The value or the failure.
    public let result: Result<Value, Failure>

    /// Creates a record that begins at an offset and in a line.
    public init(offset: Int, line: Int, result: Result<Value, Failure>) {
        (self.offset, self.line, self.result) = (offset, line, result)
    }

    /// The value, or `nil` if it couldn't be read.
    public var value: Value? { try? result.get() }

    /// The failure, or `nil` if there is a value.
    public var failure: Failure? {
        if case .failure(let failure) = result { failure } else { nil }
    }
}
