package import NIOCore

/// Receives the messages of a WebSocket.
///
/// Every method is called on the connection's event loop. A message's buffer shares memory with the whole
/// read: copy the bytes to keep.
package protocol WebSocketDelegate: AnyObject {
    /// A whole message of well-formed UTF-8 arrived.
    func received(text: ByteBuffer)

    /// A whole binary message arrived.
    func received(binary: ByteBuffer)

    /// The peer can receive more again, or can't.
    func writabilityChanged(isWritable: Bool)

    /// The connection is closed; no other method is called afterward.
    func closed()

    /// The bytes of what arrived that it keeps until more comes.
    var heldBytes: Int { get }
}

extension WebSocketDelegate {
    package var heldBytes: Int { 0 }
}

/// The settings for a WebSocket.
package struct WebSocketSettings: Sendable {
    /// The longest message accepted, in bytes.
    package var maxMessageSize: Int

    /// The time allowed for a peer to answer a close frame before the connection is closed.
    package var closeTimeout: TimeAmount

    package init(maxMessageSize: Int = 128 * 1024, closeTimeout: TimeAmount = .seconds(2)) {
        self.maxMessageSize = maxMessageSize
        self.closeTimeout = closeTimeout
    }
}
