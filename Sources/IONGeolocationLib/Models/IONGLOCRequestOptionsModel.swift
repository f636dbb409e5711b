/// How long a request may take.
public struct IONGLOCRequestOptionsModel: Sendable {
    /// How many milliseconds to wait for a position.
    public let timeout: Int

    /// Creates options.
    ///
    /// - Parameter timeout: How many milliseconds to wait for a position; 5 000 if `nil`.
    public init(timeout: Int? = nil) {
        self.timeout = timeout ?? 5000
    }
}
