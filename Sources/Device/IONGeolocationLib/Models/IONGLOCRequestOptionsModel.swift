/// The timeout of a request.
///
/// Apps pass it with a request; nothing is checked. Names and the 5 000 are those of the library that this module matches,
/// and must stay (`PluginTests`, `make foreign-suite`).
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
