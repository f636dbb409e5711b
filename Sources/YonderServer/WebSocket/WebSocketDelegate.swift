package import NIOCore

/// Who a WebSocket's messages go to.
///
/// Every call comes on the connection's event loop. A message's buffer shares memory with all that was read at once: copy what is kept.
package protocol WebSocketDelegate: AnyObject {
    /// A whole message of well-formed UTF-8 arrived.
    func received(text: ByteBuffer)

    /// A whole binary message arrived.
    func received(binary: ByteBuffer)

    /// The peer took so much of what was written that more may follow, or has taken too little.
    func writabilityChanged(isWritable: Bool)

    /// The connection is gone; nothing follows.
    func closed()
}

/// How a WebSocket is kept.
package struct WebSocketSettings: Sendable {
    /// The longest message accepted, in bytes.
    package var maxMessageSize: Int

    /// How long a peer may take to answer a close before the connection is cut.
    package var closeTimeout: TimeAmount

    package init(maxMessageSize: Int = 128 * 1024, closeTimeout: TimeAmount = .seconds(2)) {
        self.maxMessageSize = maxMessageSize
        self.closeTimeout = closeTimeout
    }
}
