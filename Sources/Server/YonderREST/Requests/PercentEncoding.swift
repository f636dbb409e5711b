/// Text in a URL or a form, where `%` and two hexadecimal digits stand for a byte (RFC 3986, section 2.1).
///
/// `RESTQuery`, `FormParameters` of the older places API and `RefusalMiddleware` decode by it what a stranger sent. An
/// escape that isn't one, or bytes that aren't UTF-8, give `nil`; the caller refuses them. `+` is a space in forms
/// alone.
///
/// The rule for `+` must stay (`FormParametersTests`).
package enum PercentEncoding {
    /// Decodes a text.
    ///
    /// - Parameters:
    ///   - text: The encoded bytes.
    ///   - plusIsSpace: Whether `+` stands for a space, as in forms.
    /// - Returns: `nil` if an escape isn't followed by two hexadecimal digits, or the bytes aren't UTF-8.
    package static func decoded(_ text: some Collection<UInt8>, plusIsSpace: Bool = false) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Decodes a part of a request's target: of its path or its query.
    ///
    /// - Returns: `nil` as ``decoded(_:plusIsSpace:)``, and if the part contains U+FFFD unescaped: the HTTP
    ///   parser has replaced bytes that aren't UTF-8.
    package static func decoded(target part: Substring.UTF8View) -> String? {
        if part.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "%") }) { return String(Substring(part)) }
        return Substring(part).unicodeScalars.contains("\u{FFFD}") ? nil : decoded(part)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
