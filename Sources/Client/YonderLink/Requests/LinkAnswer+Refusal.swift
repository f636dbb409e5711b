import YonderJSON
package import YonderModel

// `RESTClient`, `Links` and `EngineConversation` ask it of each answer whose status isn't a success. It never throws or
// traps: another body gives `nil`, and then nobody is signed out. The form is the server's (`RESTAnswer`,
// `Documentation/errors.md`), and must stay; a code that this version doesn't know is kept (`RequestLinkTests`,
// `EndingTests`).
extension LinkAnswer {
    /// The refusal that a Yonder server wrote, as in `{"error":{"code":"notSignedIn","message":"…"}}`.
    ///
    /// `nil` for any other body, as of a proxy or a network's sign-in page that answers in the server's place, and whose status says
    /// nothing about a session.
    package var refusal: SharingError? {
        body.withUnsafeBytes { bytes in
            var (code, message, wait): (String?, String?, Duration?)
            var scanner = JSONScanner(bytes)
            do throws(JSONFault) {
                try scanner.object { scanner, key throws(JSONFault) in
                    guard key.equals("error", in: bytes) else { return _ = try scanner.skipValue() }
                    try scanner.object { scanner, key throws(JSONFault) in
                        if key.equals("code", in: bytes) {
                            code = try scanner.string().text(in: bytes)
                        } else if key.equals("message", in: bytes) {
                            message = try scanner.string().text(in: bytes)
                        } else if key.equals("retryAfter", in: bytes) {
                            wait = .milliseconds(try scanner.integer())
                        } else {
                            _ = try scanner.skipValue()
                        }
                    }
                }
                try scanner.end()
            } catch {
                return nil
            }
            guard let code, let message else { return nil }
            return SharingError(SharingError.Code(code), message, retryAfter: wait ?? retryAfter)
        }
    }

    /// The wait that the answer asks for in its header.
    package var retryAfter: Duration? {
        values("retry-after").first.flatMap { UInt32($0) }.map { .seconds(Int64($0)) }
    }
}
