package import YonderGeodesy
package import YonderModel

/// Who stands behind a request.
package struct Caller: Hashable, Sendable {
    /// Who it is.
    package let person: User

    /// The credential that said so: a session's or a token's.
    package let credential: SecretHash

    /// Which of the two.
    package let kind: Credential.Kind

    /// When that stops being good, or `nil` for never.
    package let expires: Timestamp?

    package init(person: User, credential: SecretHash, kind: Credential.Kind, expires: Timestamp? = nil) {
        self.person = person
        self.credential = credential
        self.kind = kind
        self.expires = expires
    }

    /// Whose account it is.
    package var user: UserID { person.id }
}

/// Where a request came from.
package struct RequestOrigin: Hashable, Sendable {
    /// The client's address, or its network in version 6: whose attempts are counted.
    package let network: String

    /// Whether a listed proxy says that the client spoke TLS to it.
    package let isForwardedSecurely: Bool

    package init(network: String, isForwardedSecurely: Bool) {
        self.network = network
        self.isForwardedSecurely = isForwardedSecurely
    }

    /// The network that addresses of one place share: the first 24 bits in version 4, 64 in version 6.
    package var subnet: String {
        guard let address = IPAddress(network), address.bytes.count == 4 else { return network }
        return address.bytes.prefix(3).map(String.init).joined(separator: ".") + ".0/24"
    }
}
