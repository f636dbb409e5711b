import YonderGeodesy

/// What a request says about its signature, before anybody has looked whether it is true.
struct SignatureClaim: Hashable, Sendable {
    /// The key's id.
    let key: String

    /// Something that never comes twice.
    let nonce: String

    /// When it was signed.
    let time: Timestamp

    /// The signature, in base64.
    let signature: String

    /// How many characters a nonce has: what the clients' SHA-1 sums and UUIDs have.
    static let nonceLengths = 30...42

    /// How far the time may be off, either way.
    static let tolerance = Duration.seconds(5 * 60)

    private static let names: Set<String> = ["key", "nonce", "time", "signature"]

    /// Reads what a request claims; `nil` if it claims nothing at all.
    ///
    /// - Throws: The statuses of signatures that are missing something, `RepeatedParameter`.
    init?(_ parameters: FormParameters) throws(FacadeRefusal) {
        guard parameters.list.contains(where: { Self.names.contains($0.name) }) else { return nil }
        key = try Self.text("key", parameters, .missingApiKey)
        nonce = try Self.text("nonce", parameters, .missingNonce)
        let isPlain = nonce.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard isPlain, Self.nonceLengths.contains(nonce.utf8.count) else {
            throw FacadeRefusal(.invalidNonce, "nonce has 30 to 42 visible ASCII characters.")
        }
        signature = try Self.text("signature", parameters, .missingSignature)
        let digits = try Self.text("time", parameters, .missingTime)
        guard let milliseconds = Int64(digits), digits.first != "+", digits.utf8.count <= 16 else {
            throw FacadeRefusal(.invalidTime, "time is in whole milliseconds since 1970.")
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

    /// Refuses a time that is too far from the server's.
    ///
    /// - Throws: `ExpiredTime`.
    func checkTime(at now: Timestamp) throws(FacadeRefusal) {
        let distance = time > now ? time - now : now - time
        guard distance <= Self.tolerance else {
            throw FacadeRefusal(.expiredTime, "time is more than five minutes from the server's.")
        }
    }
}
