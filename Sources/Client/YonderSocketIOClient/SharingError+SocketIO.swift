public import YonderModel

extension SharingError.Code {
    /// The event may have reached the server, or not: no acknowledgement came.
    public static let notAcknowledged = Self("notAcknowledged")
}
