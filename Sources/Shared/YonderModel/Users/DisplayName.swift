/// The rule for text shown as a name within other text: a person's name, a chat's subject, a token's or key's label.
///
/// The checks of profiles, subjects, labels of tokens and keys call it and name the field in their refusal. What is refused
/// may grow, not shrink (`UserTests`).
package enum DisplayName {
    /// Whether `text` has a valid length, and no character that changes how the text around it is shown.
    ///
    /// Refused are control characters, and the characters that embed, override or isolate a direction of writing
    /// (U+202A…U+202E, U+2066…U+2069): with these, a name could reorder the words beside it, and look like another
    /// person's name. Names in scripts that are written from right to left don't need them.
    ///
    /// U+FFFD is refused too: it marks text that couldn't be decoded, such as an argument on the command line.
    ///
    /// - Parameters:
    ///   - text: The name.
    ///   - lengths: How many characters it may have, counted as Unicode scalars, as JSON Schema counts them.
    /// - Returns: `false` for a name to refuse.
    package static func isPlain(_ text: String, lengths: ClosedRange<Int>) -> Bool {
        lengths.contains(text.unicodeScalars.count) && !text.unicodeScalars.contains(where: isRefused)
    }

    private static func isRefused(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0xFFFD: true
        default: false
        }
    }
}
