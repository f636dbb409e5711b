package import YonderGeodesy
package import YonderJSON

/// The members of one JSON object: the range of each value, not yet decoded.
///
/// `Object+JSON.swift`, `Entity+JSON.swift` and `FieldValue+JSON.swift` make one for each object that they read, check its
/// names, and decode the values that they need, in any order. The grammar of the whole text is checked at the start;
/// afterward only a value that isn't what its place asks for throws, with the member's name. No bytes trap. The limit of
/// nesting is a promise (`ObjectJSONTests`).
///
/// The words of refusals may change, except the member's name at their beginning.
struct ObjectMembers {
    struct Member {
        let name: String
        let value: UnsafeRawBufferPointer
    }

    let list: [Member]

    /// Finds the members of an object that fills all of `bytes`.
    ///
    /// - Parameters:
    ///   - bytes: The text, which must outlive this value.
    ///   - depth: The levels of nesting in each value that don't count against the scanner's limit.
    ///   - isSent: Whether the text was just received, so that an unpaired surrogate is refused.
    /// - Throws: ``SharingError`` with code `invalidJSON`, or `invalidFrame` for another JSON value.
    init(_ bytes: UnsafeRawBufferPointer, depth: Int = 1, isSent: Bool = false) throws(SharingError) {
        var list: [Member] = []
        var isObject = true
        do throws(JSONFault) {
            var scanner = JSONScanner(bytes, allowing: depth, refusesHalfPairs: isSent)
            isObject = scanner.next == UInt8(ascii: "{")
            if isObject {
                try scanner.object { scanner, key throws(JSONFault) in
                    let range = try scanner.skipValue()
                    let value = UnsafeRawBufferPointer(rebasing: scanner.bytes[range])
                    list.append(Member(name: key.shown(in: scanner.bytes), value: value))
                }
            } else {
                _ = try scanner.skipValue()
            }
            try scanner.end()
        } catch {
            throw SharingError(.invalidJSON, "Not JSON: \(error.sentence(in: bytes)).")
        }
        guard isObject else { throw SharingError(.invalidFrame, "The JSON must be an object.") }
        self.list = list
    }

    /// The value of a member; `nil` if it is missing or `null`.
    subscript(name: String) -> UnsafeRawBufferPointer? {
        guard let value = list.first(where: { $0.name == name })?.value, !value.isNull else { return nil }
        return value
    }

    /// Throws if there is a member with any other name.
    ///
    /// - Throws: ``SharingError`` with code `unknownField`.
    func allow(_ names: Set<String>) throws(SharingError) {
        for member in list where !names.contains(member.name) {
            throw SharingError(
                .unknownField,
                "Unknown field \(member.name); allowed are \(names.sorted().joined(separator: ", "))."
            )
        }
    }

    /// Throws if one of these members is `null`: a member without a value must be left out.
    ///
    /// - Throws: ``SharingError`` with code `invalidField`.
    func refuseNull(_ names: Set<String>) throws(SharingError) {
        for member in list where names.contains(member.name) && member.value.isNull {
            throw SharingError(.invalidField, "\(member.name) can't be null; leave it out.")
        }
    }

    /// Decodes a member's value with `read`.
    ///
    /// - Throws: ``SharingError`` with code `invalidField` if `read` fails, and `missingField` if the member
    ///   is missing.
    func required<Value: JSONForm>(
        _ name: String,
        _ read: (inout JSONScanner) throws(JSONFault) -> Value?
    ) throws(SharingError) -> Value {
        guard let value = try optional(name, read) else {
            throw SharingError(.missingField, "\(name) is missing.")
        }
        return value
    }

    /// Decodes a member's value with `read`; `nil` if the member is missing or `null`.
    ///
    /// - Throws: ``SharingError`` with code `invalidField` if `read` fails.
    func optional<Value: JSONForm>(
        _ name: String,
        _ read: (inout JSONScanner) throws(JSONFault) -> Value?
    ) throws(SharingError) -> Value? {
        guard let bytes = self[name] else { return nil }
        return try bytes.value(named: name, read)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether these bytes, which must be a JSON value, are `null`.
    var isNull: Bool { first == UInt8(ascii: "n") }

    /// Decodes this JSON value with `read`.
    ///
    /// - Throws: ``SharingError`` with code `invalidField` if `read` fails.
    func value<Value: JSONForm>(
        named name: String,
        _ read: (inout JSONScanner) throws(JSONFault) -> Value?
    ) throws(SharingError) -> Value {
        var scanner = JSONScanner(self)
        guard let value = (try? read(&scanner)) ?? nil, scanner.next == nil else {
            throw SharingError(.invalidField, "\(name) must be \(Value.jsonForm).")
        }
        return value
    }

    /// Returns the elements of this JSON value, which must be an array.
    ///
    /// - Throws: ``SharingError`` with code `invalidField` if the value isn't an array.
    func elements(named name: String) throws(SharingError) -> [UnsafeRawBufferPointer] {
        try value(named: name) { scanner throws(JSONFault) in
            var elements: [UnsafeRawBufferPointer] = []
            try scanner.array { scanner throws(JSONFault) in
                let range = try scanner.skipValue()
                elements.append(UnsafeRawBufferPointer(rebasing: scanner.bytes[range]))
            }
            return elements
        }
    }
}

extension JSONScanner {
    /// Reads a string and returns its text.
    mutating func text() throws(JSONFault) -> String {
        try string().text(in: bytes)
    }

    /// Reads a time in milliseconds.
    package mutating func timestamp() throws(JSONFault) -> Timestamp {
        Timestamp(milliseconds: try integer())
    }

    /// Reads an identifier, a decimal string; `nil` for any other string.
    mutating func identifier<Subject>() throws(JSONFault) -> Identifier<Subject>? {
        Identifier(try text())
    }

    /// Reads the name of an entity or a field; `nil` for any other string.
    mutating func schemaName<Subject>() throws(JSONFault) -> SchemaName<Subject>? {
        SchemaName(try text())
    }
}
