import YonderGeodesy
import YonderJSON

/// The signature parameters of a request, not yet verified.
///
/// `Signatures` reads one of each request before it looks up the key. A stranger's texts: nothing traps. Names, accepted
/// lengths and statuses are those that old apps rely on and must stay (`Documentation/places-facade.md`,
/// `SignatureTests`). A greater tolerance needs a longer memory of nonces (`NonceMemory`).
struct SignatureClaim: Hashable, Sendable {
    /// The key's id.
    let key: String

    /// A value that must never be used twice.
    let nonce: String

    /// The time of signing.
    let time: Timestamp

    /// The signature, in base64.
    let signature: String

    /// The accepted lengths of a nonce: from the clients' UUIDs to their SHA-1 sums.
    static let nonceLengths = 30...42

    /// The greatest accepted difference from the server's time, in either direction.
    static let tolerance = Duration.seconds(5 * 60)

    private static let names: Set<String> = ["key", "nonce", "time", "signature"]

    /// Reads the signature parameters; `nil` if the request has none of them.
    ///
    /// - Throws: The status for the missing parameter; `InvalidNonce`, `InvalidTime`, `RepeatedParameter`.
    init?(_ parameters: FormParameters) throws(FacadeRefusal) {
        guard parameters.list.contains(where: { Self.names.contains($0.name) }) else { return nil }
        guard let key = try Self.text("key", parameters, .missingApiKey).utf8.name() else {
            throw FacadeRefusal(.invalidApiKey, "key isn't the id of a key.")
        }
        self.key = key
        nonce = try Self.text("nonce", parameters, .missingNonce)
        let isPlain = nonce.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard isPlain, Self.nonceLengths.contains(nonce.utf8.count) else {
            throw FacadeRefusal(.invalidNonce, "nonce must be 30 to 42 visible ASCII characters.")
        }
        signature = try Self.text("signature", parameters, .missingSignature)
        let digits = try Self.text("time", parameters, .missingTime)
        guard digits.utf8.count <= 16, let milliseconds = Int64(digits), !digits.utf8.begins(with: "+") else {
            throw FacadeRefusal(.invalidTime, "time must be whole milliseconds since 1970.")
        }
        time = Timestamp(milliseconds: milliseconds)
    }

    private static func text(
        _ name: String,
        _ parameters: FormParameters,
        _ missing: FacadeStatus
    ) throws(FacadeRefusal) -> String {
        guard let text = try parameters.string(name), !text.isEmpty else {
            throw FacadeRefusal(missing, "\(name) is missing.")
        }
        return text
    }

    /// Throws if the time of signing is too far from the server's.
    ///
    /// - Throws: `ExpiredTime`.
    func checkTime(at now: Timestamp) throws(FacadeRefusal) {
        let distance = time > now ? time - now : now - time
        guard distance <= Self.tolerance else {
            throw FacadeRefusal(.expiredTime, "time must be at most five minutes from the server's.")
        }
    }
}
