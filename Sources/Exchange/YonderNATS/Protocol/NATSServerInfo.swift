import YonderJSON

/// The facts of a server's `INFO` that this client uses.
///
/// `NATSParser` reads one of each `INFO`; `NATSSession` decides by it about TLS and the nonce, and limits payloads. JSON
/// that can't be read is ``NATSFault/invalidInfo(_:)`` and ends the connection. Names of members are NATS's
/// (`NATSParserTests`).
package struct NATSServerInfo: Hashable, Sendable {
    /// The most bytes of a payload that the server takes; 1 MiB where it doesn't say.
    package var maxPayload = NATSServerInfo.usualPayload

    /// Whether the server closes a connection that doesn't go on with TLS.
    package var requiresTLS = false

    /// Whether the server accepts TLS, required or not.
    package var offersTLS = false

    /// The text to sign with an nkey, or `nil` if the server has no users with nkeys.
    package var nonce: String?

    /// The most bytes of a payload, where a server has no other limit (`MAX_PAYLOAD_SIZE` of nats-server).
    package static let usualPayload = 1_048_576

    package init() {}

    /// Reads the JSON of an `INFO`; members that this client doesn't use are skipped.
    package init(_ json: [UInt8]) throws(NATSFault) {
        let read = json.withUnsafeBytes { bytes in
            Result { () throws(JSONFault) in try Self.read(bytes) }
        }
        switch read {
        case .success(let info): self = info
        case .failure(let fault): throw .invalidInfo("\(fault.reason.rawValue) at byte \(fault.offset)")
        }
    }

    private static func read(_ bytes: UnsafeRawBufferPointer) throws(JSONFault) -> NATSServerInfo {
        var info = NATSServerInfo()
        var scanner = JSONScanner(bytes)
        try scanner.object { scanner, key throws(JSONFault) in
            try info.readMember(key.name(in: bytes) ?? "", &scanner)
        }
        try scanner.end()
        return info
    }

    private mutating func readMember(_ key: String, _ scanner: inout JSONScanner) throws(JSONFault) {
        switch key {
        case "max_payload": maxPayload = max(0, Int(clamping: try scanner.integer()))
        case "tls_required": requiresTLS = try scanner.boolean()
        case "tls_available": offersTLS = try scanner.boolean()
        case "nonce": nonce = try scanner.string().text(in: scanner.bytes)
        default: _ = try scanner.skipValue()
        }
        offersTLS = offersTLS || requiresTLS
    }
}
