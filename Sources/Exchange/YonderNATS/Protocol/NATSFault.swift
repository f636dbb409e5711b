/// The reason why bytes aren't what a NATS server sends.
///
/// After one, nothing more of the connection can be read.
///
/// `NATSParser` and `NATSHandler` throw it; the connection ends, `NATSSession` tries another server, and the log has the
/// description. Texts may be changed (`NATSParserTests`).
package enum NATSFault: Error, Hashable, Sendable {
    /// A control line isn't ended within this many bytes.
    case overlongLine(limit: Int)

    /// A control line with an operation that servers don't send, or that wasn't asked for.
    case unknownOperation(String)

    /// A `MSG` whose fields aren't a subject, a number, perhaps a subject, and a length.
    case invalidMessage(String)

    /// A message's payload is longer than allowed.
    case overlongPayload(Int, limit: Int)

    /// A payload isn't followed by CR LF.
    case unendedPayload

    /// An `INFO` isn't a JSON object with the expected types.
    case invalidInfo(String)

    /// Bytes came between an `INFO` that asks for TLS and the handshake.
    case bytesBeforeTLS
}

extension NATSFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .overlongLine(let limit): "a control line is longer than \(limit) bytes"
        case .unknownOperation(let line): "the operation is unknown: \(line)"
        case .invalidMessage(let line): "a MSG can't be read: \(line)"
        case .overlongPayload(let count, let limit):
            "a payload has \(count) bytes; at most \(limit) are allowed"
        case .unendedPayload: "a payload isn't followed by CR LF"
        case .invalidInfo(let reason): "an INFO can't be read: \(reason)"
        case .bytesBeforeTLS: "bytes without TLS follow an INFO that requires TLS"
        }
    }
}
