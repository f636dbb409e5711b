package import YonderModel

/// The identity of a bearer token, or of nobody.
///
/// `SharingClient` and `RESTClient` have one where a token, or nothing, identifies them; a refused token stays, as only its
/// owner can replace it (`LinkSuiteTests`).
package struct TokenIdentity: LinkIdentity {
    private let token: String?

    /// - Throws: `invalidField` for a token that no server makes.
    package init(_ token: String?) throws(SharingError) {
        if let token, token.isEmpty || !token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
            throw SharingError(
                .invalidField,
                "token must be one or more visible ASCII characters without spaces."
            )
        }
        self.token = token
    }

    package func headers() async throws(LinkClosure) -> [LinkHeader] {
        token.map { [LinkHeader("Authorization", "Bearer \($0)")] } ?? []
    }

    package func refused(_ headers: [LinkHeader]) async {}
}
