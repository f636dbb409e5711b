import YonderJSON

/// The options of a `CONNECT`.
///
/// `NATSSession` makes one for each connection, `NATSCommand` writes it as JSON. That the description hides the
/// credentials must stay, and `echo: false`, since a node must not get its own frames. Names of members are NATS's
/// (`NATSCommandTests`).
struct NATSGreeting: Hashable, Sendable {
    /// The nkey's public part and the signed nonce.
    struct Signature: Hashable, Sendable {
        let publicKey: String
        let signature: String
    }

    var name: String
    var usesTLS = false
    var credentials: NATSAddress.Credentials?
    var signature: Signature?

    /// The options as JSON.
    ///
    /// `echo` is off, so that a client doesn't get its own messages; `verbose` is off, so that no message is answered;
    /// `headers` are off, so that every message is a `MSG`. `protocol` 1 asks for an `INFO` when the server's changes.
    var json: [UInt8] {
        var json = JSONWriter()
        json.raw(#"{"verbose":false,"pedantic":false,"echo":false,"headers":false,"no_responders":false"#)
        json.raw(#","protocol":1,"lang":"swift","version":"1","tls_required":"#)
        if usesTLS { json.raw("true") } else { json.raw("false") }
        json.raw(#","name":"#)
        json.string(name)
        for (key, value) in proof {
            json.raw(key)
            json.string(value)
        }
        json.raw("}")
        return json.bytes
    }

    private var proof: [(StaticString, String)] {
        var proof: [(StaticString, String)] = []
        if let signature {
            proof += [(#","nkey":"#, signature.publicKey), (#","sig":"#, signature.signature)]
        }
        switch credentials {
        case .password(let name, let password): proof += [(#","user":"#, name), (#","pass":"#, password)]
        case .token(let token): proof += [(#","auth_token":"#, token)]
        case nil: break
        }
        return proof
    }
}

extension NATSGreeting: CustomStringConvertible {
    /// The name alone, because the rest may be secret.
    var description: String { "CONNECT of \(name)" }
}
