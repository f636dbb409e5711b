package import YonderGeodesy
import YonderJSON
package import YonderModel

/// The JSON object in a request's body, with access to each field by name.
///
/// Unknown fields are refused.
///
/// An endpoint makes one of `RESTCall`'s body with the names that it accepts, and reads each field, in any order and as
/// often as it likes. A field of another type throws `invalidField` that names it and says what is accepted; a missing one
/// is `nil`, or `missingField` where it is required. No bytes trap. The words of the refusals are checked by
/// `Scripts/check-words`.
///
/// That unknown fields are refused is promised in `Documentation/rest.md`; a further type of field is a function here.
package struct JSONBody {
    private let bytes: [UInt8]
    private let names: FieldNames

    /// The values by the places of their names.
    private let values: [Range<Int>?]

    /// Reads an object without fields other than `allowed`; an empty body is an object without fields.
    ///
    /// - Throws: `invalidJSON`, `invalidFrame` for another kind of value, `unknownField`.
    package init(_ bytes: [UInt8], allowed names: FieldNames) throws(SharingError) {
        self.bytes = bytes
        self.names = names
        var scan = JSONBodyScan(names)
        if !bytes.isEmpty { try scan.read(bytes) }
        if let unknown = scan.unknown {
            throw SharingError(.unknownField, "Unknown field \(unknown); allowed are \(names.listed).")
        }
        values = scan.values
    }

    private func range(_ name: StaticString) -> Range<Int>? {
        names.place(of: name).flatMap { values[$0] }
    }

    /// Whether a field is present, with any value.
    package func has(_ name: StaticString) -> Bool { range(name) != nil }

    /// Returns a field's value, which must be present.
    package func required<Value>(_ name: StaticString, _ value: Value?) throws(SharingError) -> Value {
        guard let value else { throw SharingError(.missingField, "\(name) is missing.") }
        return value
    }

    /// The value of a string field, or `nil` if it is missing.
    package func string(_ name: StaticString) throws(SharingError) -> String? {
        try value(name, "a string") { scanner throws(JSONFault) in
            try scanner.string().text(in: scanner.bytes)
        }
    }

    /// The value of a string field, which must be present.
    package func requiredString(_ name: StaticString) throws(SharingError) -> String {
        try required(name, try string(name))
    }

    /// The value of a string field; `.some(nil)` for `null`, which removes a value, and `nil` if the field is
    /// missing.
    package func nullableString(_ name: StaticString) throws(SharingError) -> String?? {
        guard let range = range(name) else { return nil }
        if bytes[range] == Array("null".utf8)[...] { return .some(nil) }
        return .some(try string(name))
    }

    /// One of a few names, or `nil` if the field is missing.
    ///
    /// - Throws: ``SharingError`` with code `invalidField` for another text.
    package func choice<Choice: CaseIterable & RawRepresentable>(
        _ name: StaticString,
        of choices: Choice.Type,
        _ kind: String
    ) throws(SharingError) -> Choice? where Choice.RawValue == String {
        let found = try value(name, kind) { scanner throws(JSONFault) in
            try scanner.string().utf8(in: scanner.bytes).choice(of: choices)
        }
        guard let found else { return nil }
        guard let found else { throw invalid(name, kind) }
        return found
    }

    /// The value of a boolean field, or `nil` if it is missing.
    package func boolean(_ name: StaticString) throws(SharingError) -> Bool? {
        try value(name, "true or false") { scanner throws(JSONFault) in try scanner.boolean() }
    }

    /// The value of an integer field, or `nil` if it is missing.
    ///
    /// - Throws: ``SharingError`` with code `invalidField` if the value is no integer in the range.
    package func integer(_ name: StaticString, in range: ClosedRange<Int64>) throws(SharingError) -> Int64? {
        let end = range.upperBound == .max ? "on" : "to \(range.upperBound)"
        let kind = "a whole number from \(range.lowerBound) \(end)"
        let value = try value(name, kind) { scanner throws(JSONFault) in try scanner.integer() }
        if let value, !range.contains(value) { throw invalid(name, kind) }
        return value
    }

    /// The value of a time field, in milliseconds since 1970, or `nil` if it is missing.
    ///
    /// - Throws: ``SharingError`` with code `invalidField` for none of ``Timestamp/ofPeers``.
    package func time(_ name: StaticString) throws(SharingError) -> Timestamp? {
        let kind = "whole milliseconds from 1970 to the year 9999"
        let value = try value(name, kind) { scanner throws(JSONFault) in try scanner.integer() }
        if let value, !Timestamp.ofPeers.contains(value) { throw invalid(name, kind) }
        return value.map(Timestamp.init(milliseconds:))
    }

    /// A list of positions: each an object of `latitude`, `longitude` and, in meters, `accuracy`.
    package func positions(_ name: StaticString) throws(SharingError) -> [(
        coordinate: Coordinate, accuracy: Distance?
    )]? {
        let kind =
            "a list of objects with a latitude in -90…90, a longitude in -180…180 and an accuracy from 0"
        let numbers = try value(name, kind) { scanner throws(JSONFault) in
            var list: [(latitude: Double?, longitude: Double?, accuracy: Double?)] = []
            try scanner.array { scanner throws(JSONFault) in
                var numbers: (latitude: Double?, longitude: Double?, accuracy: Double?)
                try scanner.object { scanner, key throws(JSONFault) in
                    let number = try scanner.double()
                    if key.equals("latitude", in: scanner.bytes) { numbers.latitude = number }
                    if key.equals("longitude", in: scanner.bytes) { numbers.longitude = number }
                    if key.equals("accuracy", in: scanner.bytes) { numbers.accuracy = number }
                }
                list.append(numbers)
            }
            return list
        }
        guard let numbers else { return nil }
        var positions: [(coordinate: Coordinate, accuracy: Distance?)] = []
        for each in numbers {
            guard let latitude = each.latitude, let longitude = each.longitude,
                let coordinate = Coordinate(unfoldedLatitude: latitude, longitude: longitude),
                each.accuracy ?? 0 >= 0
            else { throw invalid(name, kind) }
            positions.append((coordinate, each.accuracy.map { .meters($0) }))
        }
        return positions
    }

    /// Milliseconds since 1970, or `null` for none.
    package func nullableTime(_ name: StaticString) throws(SharingError) -> Timestamp?? {
        guard let range = range(name) else { return nil }
        if bytes[range] == Array("null".utf8)[...] { return .some(nil) }
        return .some(try time(name))
    }

    /// A number.
    package func double(_ name: StaticString) throws(SharingError) -> Double? {
        guard let range = range(name) else { return nil }
        let isNumber = bytes[range].withUnsafeBytes { JSONNumber.end(in: $0, from: 0) == $0.count }
        guard isNumber, let value = Double(String(decoding: bytes[range], as: UTF8.self)), value.isFinite
        else {
            throw invalid(name, "a number")
        }
        return value
    }

    /// An identifier.
    package func identifier<Subject>(_ name: StaticString) throws(SharingError) -> Identifier<Subject>? {
        guard let text = try string(name) else { return nil }
        guard let id = Identifier<Subject>(text) else { throw invalid(name, "an id, a decimal string") }
        return id
    }

    /// A list of identifiers.
    package func identifiers<Subject>(_ name: StaticString) throws(SharingError) -> [Identifier<Subject>]? {
        let texts = try value(name, "a list of ids, decimal strings") { scanner throws(JSONFault) in
            var texts: [String] = []
            try scanner.array { scanner throws(JSONFault) in
                texts.append(try scanner.string().text(in: scanner.bytes))
            }
            return texts
        }
        guard let texts else { return nil }
        let ids = texts.compactMap { Identifier<Subject>($0) }
        guard ids.count == texts.count else { throw invalid(name, "a list of ids, decimal strings") }
        return ids
    }

    /// The value of an object field, as received.
    package func object(_ name: StaticString) throws(SharingError) -> MessageData? {
        guard let range = range(name) else { return nil }
        guard bytes[range].first == UInt8(ascii: "{") else { throw invalid(name, "an object") }
        return MessageData(checked: Array(bytes[range]))
    }

    /// The value of a field that lists the fields of an entity.
    package func schema(_ name: StaticString) throws(SharingError) -> [Field]? {
        guard let range = range(name) else { return nil }
        return try bytes[range].withUnsafeBufferPointer { text throws(SharingError) in
            try EntityDefinition.fields(json: UnsafeRawBufferPointer(text))
        }
    }

    private func value<Value>(
        _ name: StaticString,
        _ kind: String,
        _ read: (inout JSONScanner) throws(JSONFault) -> Value
    ) throws(SharingError) -> Value? {
        guard let range = range(name) else { return nil }
        do throws(JSONFault) {
            return try bytes[range].withUnsafeBufferPointer { text throws(JSONFault) in
                var scanner = JSONScanner(UnsafeRawBufferPointer(text))
                return try read(&scanner)
            }
        } catch {
            throw invalid(name, kind)
        }
    }

    private func invalid(_ name: StaticString, _ kind: String) -> SharingError {
        SharingError(.invalidField, "\(name) must be \(kind).")
    }
}
