import YonderWire

/// A violation of the protocol by a client, with the code for closing its connection.
///
/// `FrameHeader` and `MessageAssembler` throw it; `WebSocketConnection` closes with its code, which clients see. The
/// codes are RFC 6455's (`MessageAssemblerTests`).
package struct WebSocketViolation: Error, Hashable, Sendable {
    package let code: UInt16
    package let reason: String

    static func protocolError(_ reason: String) -> Self {
        Self(code: WebSocketCloseCode.protocolError, reason: reason)
    }

    static let invalidText = Self(code: WebSocketCloseCode.invalidText, reason: "The text isn't UTF-8.")
    static let messageTooBig = Self(code: WebSocketCloseCode.messageTooBig, reason: "The message is too big.")
}
