package import YonderModel

// For queries that read few fields of many objects: fields that aren't needed are skipped, not decoded. `ObjectVisit` and
// sorted listings take the fields that their criteria and order name, and glance at each object. A glance must see what
// reading the whole object would (`ObjectGlanceTests`); a further test or key of criteria names its field here, or it would
// find the field empty.
// That it reads nothing outside of the record must stay: the bytes are scanned without checks.
extension ObjectRecord {
    /// Decodes the object with only some of its fields.
    ///
    /// - Complexity: Scans the bytes up to the last of the fields, and decodes only their values.
    ///
    /// - Parameter fields: The fields to decode, by name in ASCII order.
    /// - Returns: The object, without its other fields.
    /// - Throws: ``SharingError`` with code `invalidJSON` or `invalidField` if the fields don't belong to the
    ///   record's entity.
    package func glance(at fields: [Field]) throws(SharingError) -> Object {
        var values: [FieldName: FieldValue] = [:]
        if !fields.isEmpty {
            try self.fields.withRawBytes { bytes throws(SharingError) in
                var members = RecordMembers(bytes)
                for field in fields {
                    guard let value = try members.value(of: field.name) else { continue }
                    values[field.name] = try FieldValue(value, in: field)
                }
            }
        }
        return Object(id: id, entity: entity, created: created, updated: updated, fields: values)
    }
}

extension Entity {
    /// Returns the fields with these names, in the order that ``ObjectRecord/glance(at:)`` needs.
    package func fields(named names: Set<FieldName>) -> [Field] {
        definition.fields.filter { names.contains($0.name) }.sorted { $0.name < $1.name }
    }
}

extension ObjectKey {
    fileprivate var field: FieldName? {
        guard case .field(let name) = self else { return nil }
        return name
    }
}

extension ObjectCriteria {
    /// The fields that the criteria test.
    package var fields: Set<FieldName> {
        switch self {
        case .all: []
        case .condition(let condition): Set([condition.key.field].compactMap(\.self))
        case .not(let criteria): criteria.fields
        case .both(let left, let right), .either(let left, let right): left.fields.union(right.fields)
        }
    }
}

extension ObjectOrder {
    /// The fields that the order compares.
    package var fields: Set<FieldName> { Set(keys.compactMap(\.key.field)) }
}

/// Scans the members of a record's fields in sequence: JSON written by this program, by name in ASCII order.
///
/// The JSON isn't validated again, but no content makes the scanner read a byte outside of it.
private struct RecordMembers {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Returns the value of a field that follows the last one requested, or `nil` if the record doesn't have
    /// it.
    mutating func value(of name: FieldName) throws(SharingError) -> UnsafeRawBufferPointer? {
        let wanted = name.description.utf8
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "}") {
            let start = offset
            // The position after the brace or the comma.
            let opening = offset + 1
            if opening < bytes.count, bytes[opening] == UInt8(ascii: "}") { return nil }
            guard let closing = end(ofString: opening) else { throw Self.fault }
            let key = bytes[(opening + 1)..<(closing - 1)]
            if !key.elementsEqual(wanted), wanted.lexicographicallyPrecedes(key) {
                offset = start
                return nil
            }
            let isFound = key.elementsEqual(wanted)
            guard let end = end(ofValue: closing + 1) else { throw Self.fault }
            offset = end
            if isFound { return UnsafeRawBufferPointer(rebasing: bytes[(closing + 1)..<end]) }
        }
        return nil
    }

    private static var fault: SharingError {
        SharingError(.invalidJSON, "The stored fields of an object are cut off.")
    }

    /// The position after the closing quote of a string.
    private func end(ofString start: Int) -> Int? {
        var place = start + 1
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""): return place + 1
            case UInt8(ascii: "\\"): place += 2
            default: place += 1
            }
        }
        return nil
    }

    /// The position of the comma or the closing brace after a value.
    private func end(ofValue start: Int) -> Int? {
        var (place, depth) = (start, 0)
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                guard let end = end(ofString: place) else { return nil }
                place = end
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return place }
                depth -= 1
            case UInt8(ascii: ",") where depth == 0: return place
            default: break
            }
            place += 1
        }
        return nil
    }
}
