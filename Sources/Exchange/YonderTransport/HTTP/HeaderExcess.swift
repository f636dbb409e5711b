import NIOHTTP1
import YonderJSON

/// A field of a request's head whose value is longer than its kind may be, or isn't ASCII where it must be.
///
/// Libraries split and compare values by characters, which takes time in proportion to the square of a value's length where it has
/// combining marks in the wrong order. `Connection` and `Upgrade` are what they read of every request, so these are ASCII; the others
/// are lists and names that the server reads as bytes. A cookie or a token has the limit of the whole head.
package struct HeaderExcess: Hashable, Sendable {
    /// The field's name, in lower case.
    package let name: String

    /// The most bytes of one value.
    package let limit: Int

    /// Whether the value is short enough, but not ASCII.
    package let isText: Bool

    /// The first such field of a head, or `nil`: costs one comparison of lengths a field of usual size.
    init?(in headers: HTTPHeaders) {
        for (name, value) in headers {
            let length = value.utf8.count
            if let word = Self.word(name.utf8) {
                let isShort = length <= Self.wordLimit
                if isShort, value.utf8.allSatisfy({ $0 < 0x80 }) { continue }
                (self.name, limit, isText) = ("\(word)", Self.wordLimit, isShort)
                return
            }
            guard length > Self.wordLimit,
                let kind = Self.kinds.first(where: { name.utf8.isIgnoringCase($0.name) }),
                length > kind.limit
            else { continue }
            (self.name, limit, isText) = ("\(kind.name)", kind.limit, false)
            return
        }
        return nil
    }

    private static let wordLimit = 256

    private static func word(_ name: String.UTF8View) -> StaticString? {
        switch name.count {
        case 7: name.isIgnoringCase("upgrade") ? "upgrade" : nil
        case 10: name.isIgnoringCase("connection") ? "connection" : nil
        default: nil
        }
    }

    /// A host's name has at most 253 bytes, and behind it may be a port.
    private static let kinds: [(name: StaticString, limit: Int)] = [
        ("host", 260), ("origin", 512), ("expect", 256), ("transfer-encoding", 256),
        ("content-encoding", 256),
        ("content-type", 1_024), ("accept-encoding", 1_024), ("range", 1_024), ("if-none-match", 4_096),
        ("x-forwarded-for", 4_096), ("x-forwarded-proto", 256), ("sec-websocket-key", 256),
        ("sec-websocket-version", 256), ("sec-websocket-protocol", 1_024),
        ("sec-websocket-extensions", 1_024),
    ]
}
