/// The codes for closing a WebSocket (RFC 6455, section 7.4, and IANA's registry).
///
/// The server's `WebSocketConnection`, sessions and transports close with these, and check a client's; numbers are the
/// standard's and must stay.
package enum WebSocketCloseCode {
    package static let normal: UInt16 = 1000
    package static let goingAway: UInt16 = 1001
    package static let protocolError: UInt16 = 1002
    package static let unsupportedData: UInt16 = 1003
    package static let invalidText: UInt16 = 1007
    package static let policyViolation: UInt16 = 1008
    package static let messageTooBig: UInt16 = 1009
    package static let tryAgainLater: UInt16 = 1013

    /// Whether a peer may send this code: 1004 to 1006 and 1015 are never sent, 1016 to 2999 are undefined.
    package static func isSendable(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
