/// A subject of NATS, as in `y.main.c.17`; a pattern has `*` for one token, or `>` for all that are left.
///
/// 1 to 255 bytes: visible ASCII characters, in tokens that are parted by dots and never empty.
package struct NATSSubject: Hashable, Sendable, CustomStringConvertible {
    /// The subject as it is written on the wire.
    package let text: String

    /// Whether a message can't be published to this, because it is a pattern.
    package let isPattern: Bool

    /// Creates a subject or a pattern.
    ///
    /// - Returns: `nil` if a token is empty or has a space, a control character or a character outside ASCII, if
    ///   `>` isn't the last token, or if the text is longer than 255 bytes.
    package init?(_ text: String) {
        guard (1...Self.longest).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        let tokens = text.split(separator: ".", omittingEmptySubsequences: false)
        guard !tokens.contains(where: \.isEmpty), !tokens.dropLast().contains(">") else { return nil }
        self.text = text
        isPattern = tokens.last == ">" || tokens.contains("*")
    }

    /// The most bytes of a subject.
    package static let longest = 255

    package var description: String { text }
}
