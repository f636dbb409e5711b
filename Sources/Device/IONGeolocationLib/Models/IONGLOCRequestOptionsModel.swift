/// The timeout of a request.
public struct IONGLOCRequestOptionsModel: Sendable {
    /// The time to wait for a position, in milliseconds.
    public let timeout: Int

    /// Creates options.
    ///
    /// - Parameter timeout: The time to wait for a position, in milliseconds; 5 000 if `nil`.
    public init(timeout: Int? = nil) {
        self.timeout = timeout ?? 5000
    }
}
