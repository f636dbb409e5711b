import YonderGeodesy

/// The members of one JSON object: where each value is, not yet what it says.
struct ObjectMembers {
    struct Member {
        let name: String
        let value: UnsafeRawBufferPointer
    }

    let list: [Member]

    /// Finds the members of an object that is the whole of `bytes`.
    ///
    /// - Parameters:
    ///   - bytes: The text, which must outlive this value.
    ///   - depth: How deep the values' own objects and arrays may be wrapped without counting as nested.
    ///   - isSent: Whether somebody has just sent it: half a surrogate pair is refused then.
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
                    list.append(Member(name: key.text(in: scanner.bytes), value: value))
                }
            } else {
                _ = try scanner.skipValue()
            }
            try scanner.end()
        } catch {
            throw SharingError(.invalidJSON, "Not JSON: \(error.sentence(in: bytes)).")
        }
        guard isObject else { throw SharingError(.invalidFrame, "An object was expected.") }
        self.list = list
    }

    /// The value of a member; `nil` if it is missing or `null`.
    subscript(name: String) -> UnsafeRawBufferPointer? {
        guard let value = list.first(where: { $0.name == name })?.value, !value.isNull else { return nil }
        return value
    }

    /// Refuses members of other names.
    ///
    /// - Throws: ``SharingError`` with code `unknownField`.
    func allow(_ names: Set<String>) throws(SharingError) {
        for member in list where !names.contains(member.name) {
            throw SharingError(.unknownField, "There is no \(member.name.prefix(64)) here.")
        }
    }

    /// Refuses `null` for members: what needs no value is left out.
    ///
    /// - Throws: ``SharingError`` with code `invalidField`.
    func refuseNull(_ names: Set<String>) throws(SharingError) {
        for member in list where names.contains(member.name) && member.value.isNull {
            throw SharingError(.invalidField, "\(member.name) can't be null; leave it out.")
        }
    }

    /// What `read` makes of a member's value.
    ///
    /// - Throws: ``SharingError`` with code `invalidField` if `read` can't, and `missingField` if nothing is there.
    func required<Value>(
        _ name: String,
        _ read: (inout JSONScanner) throws(JSONFault) -> Value?
    ) throws(SharingError) -> Value {
        guard let value = try optional(name, read) else {
            throw SharingError(.missingField, "\(name) is missing.")
        }
        return value
    }

    /// What `read` makes of a member's value, or `nil` if nothing is there.
    ///
    /// - Throws: ``SharingError`` with code `invalidField` if `read` can't.
    func optional<Value>(
        _ name: String,
        _ read: (inout JSONScanner) throws(JSONFault) -> Value?
    ) throws(SharingError) -> Value? {
        guard let bytes = self[name] else { return nil }
        return try bytes.value(named: name, read)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether it is JSON's `null`, where it is a JSON value.
    var isNull: Bool { first == UInt8(ascii: "n") }

    /// What `read` makes of this JSON value.
    ///
    /// - Throws: ``SharingError`` with code `invalidField` if `read` can't.
    func value<Value>(
        named name: String,
        _ read: (inout JSONScanner) throws(JSONFault) -> Value?
    ) throws(SharingError) -> Value {
        var scanner = JSONScanner(self)
        guard let value = (try? read(&scanner)) ?? nil, scanner.next == nil else {
            throw SharingError(.invalidField, "\(name) is not what it must be.")
        }
        return value
    }

    /// The elements of an array that is the whole of this value.
    ///
    /// - Throws: ``SharingError`` with code `invalidField` if it is no array.
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
    /// Takes a string and answers what it says.
    mutating func text() throws(JSONFault) -> String {
        try string().text(in: bytes)
    }

    /// Takes a moment in milliseconds.
    mutating func timestamp() throws(JSONFault) -> Timestamp {
        Timestamp(milliseconds: try integer())
    }

    /// Takes an identifier, a decimal string; `nil` for another string.
    mutating func identifier<Subject>() throws(JSONFault) -> Identifier<Subject>? {
        Identifier(try text())
    }

    /// Takes the name of an entity or a field; `nil` for another string.
    mutating func schemaName<Subject>() throws(JSONFault) -> SchemaName<Subject>? {
        SchemaName(try text())
    }
}
