/// What a WebSocket is opened for.
///
/// `SharingClient` opens ``stream``, `EngineConversation` the path of Socket.IO. Path and subprotocol must stay: servers of
/// every version have them (`Documentation/stream.md`).
package struct StreamTarget: Hashable, Sendable {
    /// The path behind the server's prefix, with a query if there is one.
    package let path: String

    /// The subprotocol that the server must choose; `nil` to offer none.
    package let subprotocol: String?

    package init(path: String, subprotocol: String? = nil) {
        self.path = path
        self.subprotocol = subprotocol
    }

    /// Yonder's stream.
    package static let stream = StreamTarget(path: "/v1/stream", subprotocol: "yonder.v1")
}
