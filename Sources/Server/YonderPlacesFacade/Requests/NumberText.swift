import YonderModel
import YonderJSON

/// Numbers in text form.
///
/// The older places API reads every number of a request so, a stranger's text (`FieldTextTests`, `FormParametersTests`).
/// JSON's grammar must stay; ``limit`` may be raised.
enum NumberText {
    /// The most characters of a number: enough for any useful decimal form.
    static let limit = 64

    /// The finite number that `text` is in JSON's grammar, or `nil`.
    static func value(_ text: some StringProtocol) -> Double? {
        let bytes = Array(text.utf8)
        guard bytes.count <= limit,
            bytes.withUnsafeBytes({ JSONNumber.end(in: $0, from: 0) == $0.count }),
            let value = Double(String(text)), value.isFinite
        else { return nil }
        return value
    }
}
