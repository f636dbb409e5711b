public import YonderGeodesy
import YonderJSON

/// The value of a field of an object.
///
/// `ObjectRules` calls ``check(in:)`` for each value that a request or an import sends; JSON is read in
/// `FieldValue+JSON.swift`, text of files in `FieldValue+Text.swift`, and the order is in `FieldValue+Order.swift`.
/// ``JSONText`` keeps the bytes as they came. A further type is a case here, in `FieldType` and in each of those files.
/// Limits and ``dates`` stand in `Documentation/objects.md`; they may be widened, and a narrower one would refuse stored
/// objects' next change (`ObjectRulesTests`).
public enum FieldValue: Hashable, Sendable {
    /// Text.
    case text(String)
    /// A finite number.
    case number(Double)
    /// A time.
    case date(Timestamp)
    /// True or false.
    case boolean(Bool)
    /// A JSON value other than `null`.
    case json(JSONText)
    /// A reference to an object of the entity that the field names.
    case reference(ObjectID)
    /// A coordinate, an address, or both.
    case location(ObjectLocation)

    /// The most bytes of a text.
    public static let textLimit = 16_384

    /// The most bytes of a JSON value.
    public static let jsonLimit = 32_768

    /// The accepted dates, in milliseconds since 1970: the range of a JavaScript `Date`.
    public static let dates = -8_640_000_000_000_000...Int64(8_640_000_000_000_000)

    /// Whether this value has a field's type.
    public func fits(_ type: FieldType) -> Bool {
        switch (self, type) {
        case (.text, .text), (.number, .number), (.date, .date), (.boolean, .boolean), (.json, .json),
            (.reference, .reference), (.location, .location):
            true
        default: false
        }
    }

    /// Checks the value against the field's type and limits.
    ///
    /// - Throws: ``SharingError`` with code `invalidField` or `tooLarge`.
    package func check(in field: Field) throws(SharingError) {
        guard fits(field.type) else {
            throw field.holdsAnother
        }
        switch self {
        case .text(let text): try Self.check(text.utf8.count, Self.textLimit, field.name)
        case .json(let json): try Self.check(json.bytes.count, Self.jsonLimit, field.name)
        case .number(let number) where !number.isFinite:
            throw SharingError(.invalidField, "\(field.name) must be finite.")
        case .date(let date) where !Self.dates.contains(date.milliseconds):
            throw SharingError(
                .invalidField,
                "\(field.name) must be in \(Self.dates.lowerBound)…\(Self.dates.upperBound) milliseconds."
            )
        default: return
        }
    }

    private static func check(_ count: Int, _ limit: Int, _ name: FieldName) throws(SharingError) {
        guard count <= limit else {
            throw SharingError(.tooLarge, "\(name) must have at most \(limit) bytes; it has \(count).")
        }
    }
}

/// A JSON value other than `null`, stored and sent byte for byte.
public struct JSONText: Hashable, Sendable {
    /// The value's text in UTF-8, as received.
    public let bytes: [UInt8]

    /// Creates a value from its text.
    ///
    /// - Throws: ``SharingError`` with code `invalidJSON` unless the text is one JSON value without duplicate
    ///   keys and unpaired surrogates, nested at most 32 deep; `invalidField` if the value is `null`.
    public init(_ bytes: [UInt8]) throws(SharingError) {
        var range = 0..<0
        do throws(JSONFault) {
            range = try bytes.withUnsafeBufferPointer { text throws(JSONFault) in
                var scanner = JSONScanner(UnsafeRawBufferPointer(text), refusesHalfPairs: true)
                let range = try scanner.skipValue()
                try scanner.end()
                return range
            }
        } catch {
            throw SharingError(
                .invalidJSON,
                "The value isn't JSON: \(error.reason.rawValue) at byte \(error.offset)."
            )
        }
        guard bytes[range.lowerBound] != UInt8(ascii: "n") else {
            throw SharingError(
                .invalidField,
                "The JSON value must not be null; to empty the field, send null for the field itself."
            )
        }
        self.bytes = Array(bytes[range])
    }

    /// Creates a value from text that a scanner has already checked.
    package init(checked bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The value's text.
    public var json: String { String(decoding: bytes, as: UTF8.self) }
}
