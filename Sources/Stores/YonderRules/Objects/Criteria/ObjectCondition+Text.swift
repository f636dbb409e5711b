import YonderGeodesy
import YonderJSON
package import YonderModel

// `ObjectService` reads each `where` parameter so, a stranger's text: nothing traps, and a refusal names the field and
// what is accepted. Operators and their meaning must stay
// (`ObjectCriteriaTests`); a further operator is a branch in `comparison` and a line in the document. ``textLimit`` may
// be raised.

// The text form of conditions on the wire: see Documentation/objects.md.
// Clients build conditions by the document alone, so an operator may be added, never changed.
extension ObjectCriteria {
    /// The most characters of a condition's text, counted as Unicode scalars.
    package static let textLimit = 1_024

    /// Reads one condition: `rating>=4`, `name^Ca`, `closed` for a field that has a value, `!closed` for one
    /// that has none.
    ///
    /// The operators are `=`, `!=`, `<`, `<=`, `>`, `>=`, `~` (contains) and `^` (begins with). The operand
    /// of a text field is taken literally; for any other type it is JSON, and a reference has no quotes. `!=`
    /// also matches an empty field.
    ///
    /// - Throws: ``SharingError`` with code `tooLarge`, `unknownField` or `invalidField`.
    package init(_ text: String, in entity: Entity) throws(SharingError) {
        guard text.unicodeScalars.count <= Self.textLimit else {
            throw SharingError(
                .tooLarge,
                "where: a condition must have at most \(Self.textLimit) characters."
            )
        }
        let isNegated = text.utf8.first == UInt8(ascii: "!")
        let bytes = Array(text.utf8.dropFirst(isNegated ? 1 : 0))
        let nameEnd = bytes.firstIndex { Self.operators.contains($0) } ?? bytes.endIndex
        guard let key = ObjectKey(String(decoding: bytes[..<nameEnd], as: UTF8.self)) else {
            throw SharingError(
                .invalidField,
                "where: a condition must begin with the name of a field, as in rating>=4."
            )
        }
        let type = try key.type(in: entity)
        guard nameEnd < bytes.endIndex else {
            let exists = ObjectCriteria.where(key, .exists)
            self = isNegated ? !exists : exists
            return
        }
        guard !isNegated else { throw Self.unreadable(key, type) }
        self = try Self.comparison(key, type, bytes[nameEnd...])
        try check(in: entity)
    }

    private static let operators = Set("!=<>~^".utf8)

    private static func comparison(_ key: ObjectKey, _ type: FieldType, _ text: ArraySlice<UInt8>)
        throws(SharingError) -> ObjectCriteria
    {
        let isTwo = text.dropFirst().first == UInt8(ascii: "=") && "!<>".utf8.contains(text[text.startIndex])
        let sign = String(decoding: text.prefix(isTwo ? 2 : 1), as: UTF8.self)
        let rest = String(decoding: text.dropFirst(isTwo ? 2 : 1), as: UTF8.self)
        switch sign {
        case "~": return .where(key, .contains(rest))
        case "^": return .where(key, .begins(with: rest))
        default: break
        }
        guard let value = value(rest, type) else { throw unreadable(key, type) }
        switch sign {
        case "=": return .where(key, .equals(value))
        case "!=": return !.where(key, .equals(value))
        case "<": return .where(key, .less(value))
        case "<=": return .where(key, .atMost(value))
        case ">": return .where(key, .greater(value))
        case ">=": return .where(key, .atLeast(value))
        default: throw unreadable(key, type)
        }
    }

    private static func value(_ text: String, _ type: FieldType) -> FieldValue? {
        switch type {
        case .text: .text(text)
        case .number: json(text) { scanner throws(JSONFault) in .number(try scanner.double()) }
        case .date: json(text) { scanner throws(JSONFault) in .date(try scanner.timestamp()) }
        case .boolean: json(text) { scanner throws(JSONFault) in .boolean(try scanner.boolean()) }
        case .reference: ObjectID(text).map(FieldValue.reference)
        case .json, .location: nil
        }
    }

    private static func json(
        _ text: String,
        _ read: (inout JSONScanner) throws(JSONFault) -> FieldValue
    ) -> FieldValue? {
        var text = text
        return text.withUTF8 { bytes in
            var scanner = JSONScanner(UnsafeRawBufferPointer(bytes))
            guard let value = try? read(&scanner), scanner.next == nil else { return nil }
            return value
        }
    }

    private static func unreadable(_ key: ObjectKey, _ type: FieldType) -> SharingError {
        SharingError(
            .invalidField,
            "where: \(key) must be followed by =, !=, <, <=, >, >=, ~ or ^ and \(type.values), or stand alone."
        )
    }
}
