import YonderModel

/// Numbers as text has them.
enum NumberText {
    /// How many characters a number may have: enough for every one that has an exact decimal form worth sending.
    static let limit = 64

    /// The finite number that the whole of `text` is in JSON's grammar, or `nil`.
    static func value(_ text: some StringProtocol) -> Double? {
        let bytes = Array(text.utf8)
        guard bytes.count <= limit,
            bytes.withUnsafeBytes({ JSONNumber.end(in: $0, from: 0) == $0.count }),
            let value = Double(String(text)), value.isFinite
        else { return nil }
        return value
    }
}
