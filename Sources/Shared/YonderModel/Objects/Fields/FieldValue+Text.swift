import YonderGeodesy
import YonderJSON

// The form of values in the cells of a table: see Documentation/objects.md. `RowDraft` of the server's import reads each cell
// of a CSV file and each property of GeoJSON with it; `ObjectFileWriter` writes cells. A text that doesn't fit the field
// throws `invalidField` with the field's name, and the import refuses that row alone; nothing traps. That a written cell is
// read as the same value must stay (`FieldTextTests`, `RoundTripTests`). Further words for true and false, or forms of a
// date, may be accepted; one that is accepted must stay, as imports run by themselves.
extension FieldValue {
    /// The accepted decimal separators.
    package enum DecimalMark: Hashable, Sendable {
        /// `4.5` only.
        case point
        /// `4,5` as well: for tables whose cells are separated by semicolons.
        case comma
    }

    /// Reads a cell.
    ///
    /// - Returns: The value; `nil` for a blank cell, except in a text field.
    /// - Throws: ``SharingError`` with code `invalidField` or `invalidJSON`.
    package static func read(
        _ cell: String,
        in field: Field,
        _ mark: DecimalMark = .point
    ) throws(SharingError) -> FieldValue? {
        if field.type == .text { return .text(cell) }
        let text = cell.trimmed
        guard !text.isEmpty else { return nil }
        if field.type == .json { return try json(text, in: field) }
        let value: FieldValue? =
            switch field.type {
            case .number: number(text, mark).map(FieldValue.number)
            case .date: date(text).map(FieldValue.date)
            case .boolean: booleans[text.lowercased()].map(FieldValue.boolean)
            case .reference: ObjectID(text).map(FieldValue.reference)
            case .location: .location(try ObjectLocation(text: cell, in: field))
            case .text, .json: nil
            }
        guard let value else { throw field.holdsAnother }
        return value
    }

    /// The value as a cell that ``read(_:in:_:)`` reads back.
    package var cell: String {
        switch self {
        case .text(let text): text
        case .date(let date) where Self.fourDigitYears.contains(date.milliseconds): date.iso8601
        case .date(let date): String(date.milliseconds)
        case .reference(let id): id.description
        case .location(let location): location.text
        case .number, .boolean, .json: String(decoding: jsonBytes, as: UTF8.self)
        }
    }

    /// The value as JSON, in its wire form.
    package var jsonBytes: [UInt8] {
        var writer = JSONWriter()
        writer.fieldValue(self)
        return writer.bytes
    }

    /// Reads a property of a GeoJSON feature.
    ///
    /// Accepts the value's wire form; for a type that isn't text, also a string in the form of a cell; for
    /// text, also a number or a boolean.
    ///
    /// - Parameters:
    ///   - bytes: One JSON value that a scanner has checked.
    ///   - field: The field, which determines the type of the value.
    /// - Returns: The value; `nil` for `null`, and for a blank string unless the field holds text.
    /// - Throws: ``SharingError`` with code `invalidField`, `invalidJSON`, `unknownField` or `missingField`.
    package static func read(json bytes: [UInt8], in field: Field) throws(SharingError) -> FieldValue? {
        guard bytes.first != UInt8(ascii: "n") else { return nil }
        let isText = bytes.first == UInt8(ascii: "\"")
        switch field.type {
        case .text where !isText && bytes.first != UInt8(ascii: "{") && bytes.first != UInt8(ascii: "["):
            return .text(String(decoding: bytes, as: UTF8.self))
        case .number where isText, .date where isText, .boolean where isText, .location where isText,
            .reference where isText:
            return try read(try text(json: bytes, in: field), in: field)
        default:
            return try bytes.withRawBytes { bytes throws(SharingError) in try FieldValue(bytes, in: field) }
        }
    }

    /// Returns the text of a JSON string.
    private static func text(json bytes: [UInt8], in field: Field) throws(SharingError) -> String {
        try bytes.withRawBytes { bytes throws(SharingError) in
            try bytes.value(named: field.name.description) { scanner throws(JSONFault) in
                try scanner.text()
            }
        }
    }

    private static let booleans = [
        "true": true, "false": false, "1": true, "0": false, "yes": true, "no": false,
    ]

    /// The times for which ISO 8601 needs no agreed extension: years 0000…9999.
    private static let fourDigitYears = -62_167_219_200_000...Int64(253_402_300_799_999)

    private static func json(_ text: String, in field: Field) throws(SharingError) -> FieldValue? {
        guard text != "null" else { return nil }
        do throws(SharingError) {
            return .json(try JSONText(Array(text.utf8)))
        } catch {
            throw SharingError(error.code, "\(field.name): \(error.message)")
        }
    }

    /// Reads a number from a trimmed text; `nil` if the text isn't one.
    package static func number(_ text: String, _ mark: DecimalMark) -> Double? {
        var digits = Array(text.utf8)
        if mark == .comma, !digits.contains(UInt8(ascii: ".")),
            let comma = digits.firstIndex(of: UInt8(ascii: ","))
        {
            digits[comma] = UInt8(ascii: ".")
        }
        return DecimalNumber(digits.span)?.value
    }

    /// Reads milliseconds or ISO 8601: a day, or a day and a time separated by `T` or a space; UTC if no zone
    /// is given.
    private static func date(_ text: String) -> Timestamp? {
        if let milliseconds = Int64(text), text.utf8.first != UInt8(ascii: "+") {
            return Timestamp(milliseconds: milliseconds)
        }
        var bytes = Array(text.utf8)
        if bytes.count == 10 { bytes += Array("T00:00:00".utf8) }
        if bytes.count > 10, bytes[10] == 0x20 { bytes[10] = UInt8(ascii: "T") }
        return Timestamp(iso8601: bytes.span)
    }
}

extension Field {
    /// The error for a value of another type than the field's.
    package var holdsAnother: SharingError {
        SharingError(.invalidField, "\(name) must be \(type.values).")
    }
}

extension String {
    /// The string without leading and trailing spaces and tabs.
    package var trimmed: String {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        guard let first = utf8.first, let last = utf8.last, isBlank(first) || isBlank(last) else {
            return self
        }
        let start = utf8.firstIndex { !isBlank($0) } ?? utf8.endIndex
        let end = utf8.lastIndex { !isBlank($0) }.map { utf8.index(after: $0) } ?? start
        return String(self[start..<end])
    }
}
