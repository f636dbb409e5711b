package import HTTPTypes

/// The cookie that keeps somebody signed in on the page.
///
/// Under TLS its name begins with `__Host-`, so that a browser takes it only with `Secure`, `Path=/` and no domain.
package enum SessionCookie {
    /// The cookie's name.
    package static func name(isSecure: Bool) -> String {
        isSecure ? "__Host-yonder" : "yonder"
    }

    /// The header field that sets it.
    package static func setting(_ secret: Secret, lifetime: Duration, isSecure: Bool) -> String {
        field(secret.text, maxAge: lifetime.components.seconds, isSecure: isSecure)
    }

    /// The header field that removes it.
    package static func removing(isSecure: Bool) -> String {
        field("", maxAge: 0, isSecure: isSecure)
    }

    /// The secret in a request's cookies, or `nil`.
    package static func secret(in fields: HTTPFields, isSecure: Bool) -> Secret? {
        let name = name(isSecure: isSecure)
        for field in fields[values: .cookie] {
            for pair in field.split(separator: ";") {
                let trimmed = pair.drop { $0 == " " }
                guard trimmed.hasPrefix(name), trimmed.dropFirst(name.count).first == "=" else { continue }
                return Secret(trimmed.dropFirst(name.count + 1))
            }
        }
        return nil
    }

    private static func field(_ value: String, maxAge: Int64, isSecure: Bool) -> String {
        "\(name(isSecure: isSecure))=\(value); Path=/; Max-Age=\(maxAge); HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }
}
