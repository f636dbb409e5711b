/// A reason why a NATS client isn't served.
///
/// Everything of this target that fails throws or reports one; `BusSettings` prints it at the start, `NATSBus` logs it.
/// The code says what to do, the message is for operators, and has neither seeds nor passwords. Codes are used by
/// `NATSSession` and the logs; texts may be changed. Those that complaints are compared with are the server's and must
/// stay (`NATSSessionTests`).
package struct NATSError: Error, Hashable, Sendable {
    /// The kind of reason, and the only part that a program decides by.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name in logs.
        package let rawValue: String

        /// An address that can't be read.
        package static let invalidAddress = Code(rawValue: "invalidAddress")

        /// An nkey that can't be read, or is needed and missing.
        package static let invalidKey = Code(rawValue: "invalidKey")

        /// Certificates that can't be read.
        package static let invalidCertificate = Code(rawValue: "invalidCertificate")

        /// No connection, or one that ended.
        package static let unavailable = Code(rawValue: "unavailable")

        /// A server that doesn't answer any more.
        package static let unresponsive = Code(rawValue: "unresponsive")

        /// A connection that would leave this machine without TLS, or a certificate that isn't trusted.
        package static let insecure = Code(rawValue: "insecure")

        /// A server that doesn't know this user, or a user that may not use a subject.
        package static let notAuthorized = Code(rawValue: "notAuthorized")

        /// A client that reads too slowly for its server.
        package static let slowConsumer = Code(rawValue: "slowConsumer")

        /// A message over the server's `max_payload`, or one subscription too many.
        package static let tooLarge = Code(rawValue: "tooLarge")

        /// Bytes that aren't the protocol.
        package static let invalidProtocol = Code(rawValue: "invalidProtocol")

        /// Another complaint of the server.
        package static let refused = Code(rawValue: "refused")

        /// A client that was closed.
        package static let closed = Code(rawValue: "closed")

        package var description: String { rawValue }
    }

    package var code: Code

    /// The event, for an operator's log.
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension NATSError: CustomStringConvertible {
    package var description: String { "\(code): \(message)" }
}

extension NATSError {
    /// A server's `-ERR`; the texts are those of nats-server 2.9 (*server/errors.go*).
    init(complaint: String) {
        let codes: [(String, Code)] = [
            ("authorization", .notAuthorized), ("authentication", .notAuthorized),
            ("permissions violation", .notAuthorized),
            ("slow consumer", .slowConsumer), ("maximum payload", .tooLarge),
            ("maximum subscriptions", .tooLarge),
            ("stale connection", .unresponsive), ("secure connection", .insecure),
        ]
        let text = complaint.lowercased()
        let code = codes.first { text.hasPrefix($0.0) || text.hasPrefix("user \($0.0)") }?.1
        self.init(code ?? .refused, "The NATS server says: \(complaint.prefix(200))")
    }

    /// The reason for closing a connection whose bytes can't be read.
    init(_ fault: NATSFault) {
        self.init(.invalidProtocol, "The NATS server sent bytes that can't be read: \(fault).")
    }
}
