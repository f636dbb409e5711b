package import HTTPTypes
package import YonderAccounts
import YonderJSON

/// A cookie that holds a secret.
///
/// Under TLS its name begins with `__Host-`, so that a browser accepts it only with `Secure`, `Path=/` and no
/// domain.
///
/// `SessionEndpoints` sets and removes the cookies of session and device, `Authenticator` reads them from each request.
/// A cookie in another form is `nil`. Names must stay, or every browser is signed out; so must `HttpOnly`, `SameSite`
/// and the prefix, which keep the secret from other pages and hosts (`SessionTests`, decision 12).
package struct SecretCookie: Sendable {
    /// Keeps a user signed in on the page.
    package static let session = SecretCookie(name: "yonder")

    /// Identifies a browser with which a user has signed in before.
    package static let device = SecretCookie(name: "yonder-device")

    private let name: String

    /// The cookie's name.
    package func name(isSecure: Bool) -> String {
        isSecure ? "__Host-\(name)" : name
    }

    /// The header field that sets it.
    package func setting(_ secret: Secret, lifetime: Duration, isSecure: Bool) -> String {
        field(secret.text, maxAge: lifetime.components.seconds, isSecure: isSecure)
    }

    /// The header field that removes it.
    package func removing(isSecure: Bool) -> String {
        field("", maxAge: 0, isSecure: isSecure)
    }

    /// The secret in a request's cookies, or `nil`.
    package func secret(in fields: HTTPFields, isSecure: Bool) -> Secret? {
        let name = Array("\(name(isSecure: isSecure))=".utf8)
        for field in fields[values: .cookie] {
            for pair in field.utf8.split(separator: UInt8(ascii: ";")) {
                let pair = pair.trimmed
                guard pair.starts(with: name) else { continue }
                return Secret(pair.dropFirst(name.count))
            }
        }
        return nil
    }

    private func field(_ value: String, maxAge: Int64, isSecure: Bool) -> String {
        "\(name(isSecure: isSecure))=\(value); Path=/; Max-Age=\(maxAge); HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }
}
