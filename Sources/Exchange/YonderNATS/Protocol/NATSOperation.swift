/// One operation of a NATS server, as its control line says it.
///
/// `NATSParser` makes one of each control line; `NATSSession` decides by it. They are plain values. An operation that
/// this client doesn't know is a ``NATSFault``, not a case. Names and forms are NATS's (`NATSParserTests`).
package enum NATSOperation: Hashable, Sendable {
    /// Facts about the server: the first operation of a connection, and again when they change.
    case info(NATSServerInfo)

    /// The head of a message; the payload follows.
    case message(NATSMessageHead)

    /// The server wants a `PONG`.
    case ping

    /// The server has handled everything that was sent in front of the `PING`.
    case pong

    /// The server took an operation in `verbose` mode.
    case ok

    /// The server's complaint, without its quotes.
    case error(String)
}

/// The control line of a message.
package struct NATSMessageHead: Hashable, Sendable {
    package let subject: String

    /// The number that the client gave its subscription.
    package let subscription: UInt64

    /// The subject on which the publisher awaits an answer, or `nil`.
    package let reply: String?

    /// The bytes of the payload.
    package let length: Int

    package init(subject: String, subscription: UInt64, reply: String? = nil, length: Int) {
        self.subject = subject
        self.subscription = subscription
        self.reply = reply
        self.length = length
    }
}
