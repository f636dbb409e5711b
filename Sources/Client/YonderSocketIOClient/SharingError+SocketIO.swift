public import YonderModel

// `SocketIOClient.emit(_:_:timeout:)` throws it; no server sends it. The text is public and must stay
// (`Documentation/socket-io.md`).
extension SharingError.Code {
    /// The event may have reached the server, or not: no acknowledgement came.
    public static let notAcknowledged = Self("notAcknowledged")
}
