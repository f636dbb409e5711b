package import YonderModel

/// The reason why a connection ended.
///
/// Links throw it; `ConnectionState` decides by it. Which close codes refuse a client is promised by the server, and is tried
/// by `EndingTests` with the fixture that the page has, too.
package enum LinkClosure: Error, Hashable, Sendable {
    /// The connection broke, or couldn't be made.
    case lost(String)
    /// The server asks the client to reconnect later.
    case later(Duration, String)
    /// The server refuses this client: trying again can't help.
    case refused(SharingError)
}

extension LinkClosure {
    /// The closure that a close frame stands for (RFC 6455, section 7.4).
    package init(code: UInt16?, reason: String) {
        if code == 1008, reason == SharingError.Code.notSignedIn.rawValue {
            self = .refused(SharingError(.notSignedIn, "The session ended."))
        } else if code == 1008, reason == SharingError.Code.worldClosed.rawValue {
            self = .refused(SharingError(.worldClosed, "The world is closed."))
        } else {
            self = .lost("The server closed the connection: \(code.map(String.init) ?? "no code") \(reason)")
        }
    }
}
