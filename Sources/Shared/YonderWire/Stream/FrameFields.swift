import YonderGeodesy
import YonderModel
import YonderJSON

/// The fields of one JSON object: the place of each value, which is parsed when it is first read.
///
/// Bytes are copied only when a value is read. Must not outlive its bytes.
///
/// The parsers of both sides' frames make one for each frame, call ``scan()`` once, and then read fields in any order, each
/// as often as they like. A fault of the grammar ends the scan; a value of the wrong type is an `invalidField` that names
/// the field, thrown when it is read. A field that isn't there gives `nil`. No bytes trap.
///
/// A new field is a name in `FrameField`, at most ``capacity``. That an unknown name is kept, and not refused here, must
/// stay: a server refuses it (`ClientFrameTests`), a client ignores it.
///
/// How values are kept and found may change (`make bench-guard` measures it).
struct FrameFields {
    private enum Kind: UInt8 {
        case absent, plainString, escapedString, number, yes, no, null, object, array
    }

    /// The place of a value; for a string, the bytes between its quotes.
    private struct Slot {
        var start: Int32 = 0
        var end: Int32 = 0
        var kind = Kind.absent
    }

    /// How many names there may be; a set of them has a bit for each, too.
    static let capacity = 128

    private let bytes: UnsafeRawBufferPointer
    private let refusesHalfPairs: Bool

    /// For each field, the place of its slot; 0 for an absent field.
    private var places: InlineArray<128, UInt8> = .init(repeating: 0)

    /// The values that are present, behind the slot of all absent fields.
    private var slots = [Slot()]

    /// The fields that are present.
    private(set) var present = FrameFieldSet()

    /// The first name that is none of ours.
    private(set) var unknown: JSONString?

    /// A server refuses half a surrogate pair; a client reads what an earlier server has kept of them.
    init(_ bytes: UnsafeRawBufferPointer, refusesHalfPairs: Bool = false) {
        self.bytes = bytes
        self.refusesHalfPairs = refusesHalfPairs
    }

    /// Finds the fields of an object that stands in `field` of another.
    ///
    /// - Throws: `invalidField` if it is none.
    init(scanning bytes: UnsafeRawBufferPointer, of field: FrameField) throws(SharingError) {
        self.init(bytes)
        do throws(JSONFault) {
            try scan()
        } catch {
            throw SharingError(.invalidField, "\(field.name) must be an object, or a list of objects.")
        }
    }

    /// Finds the fields.
    ///
    /// A fault leaves those that stand before it. `data` may be nested as deep as it may by itself.
    mutating func scan() throws(JSONFault) {
        guard bytes.count <= Int32.max else { throw JSONFault(reason: .unexpected, offset: 0) }
        slots.reserveCapacity(16)
        var scanner = JSONScanner(bytes, allowing: 1, refusesHalfPairs: refusesHalfPairs)
        try scanner.object { scanner, key throws(JSONFault) in
            guard let field = FrameField(key, in: bytes) else {
                if unknown == nil { unknown = key }
                _ = try scanner.skipValue()
                return
            }
            let slot = try Self.slot(&scanner)
            places[Int(field.rawValue)] = UInt8(slots.count)
            slots.append(slot)
            present.insert(FrameFieldSet(field))
        }
        try scanner.end()
    }

    @inline(__always)
    private static func slot(_ scanner: inout JSONScanner) throws(JSONFault) -> Slot {
        let first = scanner.next
        guard first != UInt8(ascii: "\"") else {
            let string = try scanner.string()
            return slot(string.range, string.hasEscapes ? .escapedString : .plainString)
        }
        let range = try scanner.skipValue()
        switch first {
        case UInt8(ascii: "{"): return slot(range, .object)
        case UInt8(ascii: "["): return slot(range, .array)
        case UInt8(ascii: "t"): return slot(range, .yes)
        case UInt8(ascii: "f"): return slot(range, .no)
        case UInt8(ascii: "n"): return slot(range, .null)
        default: return slot(range, .number)
        }
    }

    @inline(__always)
    private static func slot(_ range: Range<Int>, _ kind: Kind) -> Slot {
        Slot(
            start: Int32(truncatingIfNeeded: range.lowerBound),
            end: Int32(truncatingIfNeeded: range.upperBound),
            kind: kind
        )
    }

    @inline(__always)
    private subscript(_ field: FrameField) -> Slot { slots[Int(places[Int(field.rawValue)])] }

    @inline(__always)
    private func text(_ slot: Slot) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[Int(slot.start)..<Int(slot.end)])
    }
}

// MARK: - Values

extension FrameFields {
    /// Whether a field is there.
    func has(_ field: FrameField) -> Bool { present.contains(FrameFieldSet(field)) }

    /// Whether a field says `null`.
    func isNull(_ field: FrameField) -> Bool { self[field].kind == .null }

    /// The name of the first unknown field, cut to what a refusal may repeat.
    var unknownName: String? {
        unknown.map { $0.utf8(in: bytes).excerpt }
    }

    /// One of a few names, or `nil` if the field isn't there.
    func choice<Choice: CaseIterable & RawRepresentable>(
        _ field: FrameField,
        of choices: Choice.Type,
        _ expected: String
    ) throws(SharingError) -> Choice? where Choice.RawValue == String {
        let slot = self[field]
        let found: Choice?
        switch slot.kind {
        case .absent: return nil
        case .plainString: found = text(slot).choice(of: choices)
        case .escapedString: found = unescaped(slot).utf8.choice(of: choices)
        default: throw invalid(field, "a string")
        }
        guard let found else { throw invalid(field, expected) }
        return found
    }

    /// A string, or `nil` if the field isn't there: look at its bytes before anything else.
    func string(_ field: FrameField) throws(SharingError) -> String? {
        let slot = self[field]
        switch slot.kind {
        case .absent: return nil
        case .plainString: return String(decoding: text(slot), as: UTF8.self)
        case .escapedString: return unescaped(slot)
        default: throw invalid(field, "a string")
        }
    }

    /// Whether a field is this string; `word` has no escapes.
    func equals(_ field: FrameField, _ word: StaticString) -> Bool {
        let slot = self[field]
        switch slot.kind {
        case .plainString:
            let text = text(slot)
            guard text.count == word.utf8CodeUnitCount else { return false }
            for index in 0..<text.count where text[index] != word.utf8Start[index] { return false }
            return true
        case .escapedString: return unescaped(slot).utf8.is(word)
        default: return false
        }
    }

    /// An identifier, or `nil` if the field isn't there.
    func identifier<Subject>(_ field: FrameField) throws(SharingError) -> Identifier<Subject>? {
        let slot = self[field]
        let read: Identifier<Subject>?
        switch slot.kind {
        case .absent: return nil
        case .plainString: read = Identifier(digits: text(slot))
        case .escapedString: read = Identifier(unescaped(slot))
        default: read = nil
        }
        guard let read else { throw invalid(field, "an id, a decimal string") }
        return read
    }

    /// A whole number, or `nil` if the field isn't there.
    func integer(
        _ field: FrameField,
        in range: ClosedRange<Int64> = Int64.min...Int64.max
    ) throws(SharingError) -> Int64? {
        let slot = self[field]
        guard slot.kind != .absent else { return nil }
        guard slot.kind == .number, let value = JSONNumber.integer(bytes, Int(slot.start)..<Int(slot.end)),
            range.contains(value)
        else {
            throw invalid(field, range.wholeNumber)
        }
        return value
    }

    /// A number, or `nil` if the field isn't there.
    func double(_ field: FrameField) throws(SharingError) -> Double? {
        let slot = self[field]
        guard slot.kind != .absent else { return nil }
        guard slot.kind == .number, let value = Double(String(decoding: text(slot), as: UTF8.self)),
            value.isFinite
        else {
            throw invalid(field, "a number")
        }
        return value
    }

    /// A time that the server keeps or passes on, or `nil` if the field isn't there.
    ///
    /// - Throws: `invalidField` for none of ``Timestamp/ofPeers``.
    func keptTime(_ field: FrameField) throws(SharingError) -> Timestamp? {
        try integer(field, in: Timestamp.ofPeers).map { Timestamp(milliseconds: $0) }
    }

    /// The same, `.some(nil)` if the field is `null`.
    func nullableKeptTime(_ field: FrameField) throws(SharingError) -> Timestamp?? {
        if self[field].kind == .null { return .some(nil) }
        return try keptTime(field).map(Optional.some)
    }

    /// A time, `.some(nil)` if the field is `null`, or `nil` if it isn't there.
    func nullableTime(_ field: FrameField) throws(SharingError) -> Timestamp?? {
        if self[field].kind == .null { return .some(nil) }
        return try time(field).map(Optional.some)
    }

    /// A time, or `nil` if the field isn't there.
    func time(_ field: FrameField) throws(SharingError) -> Timestamp? {
        try integer(field).map { Timestamp(milliseconds: $0) }
    }

    /// Yes or no, or `nil` if the field isn't there.
    func boolean(_ field: FrameField) throws(SharingError) -> Bool? {
        switch self[field].kind {
        case .absent: return nil
        case .yes: return true
        case .no: return false
        default: throw invalid(field, "true or false")
        }
    }

    /// An object as it was written, or `nil` if the field isn't there.
    func object(_ field: FrameField) throws(SharingError) -> MessageData? {
        let slot = self[field]
        guard slot.kind != .absent else { return nil }
        guard slot.kind == .object else { throw invalid(field, "an object") }
        return MessageData(checked: [UInt8](text(slot)))
    }

    /// The bytes of an object, or `nil` if the field isn't there.
    func objectBytes(_ field: FrameField) throws(SharingError) -> UnsafeRawBufferPointer? {
        let slot = self[field]
        guard slot.kind != .absent else { return nil }
        guard slot.kind == .object else { throw invalid(field, "an object") }
        return text(slot)
    }

    /// The bytes of a string without escapes, or `nil` if it has some or is none.
    func plainBytes(_ field: FrameField) -> UnsafeRawBufferPointer? {
        let slot = self[field]
        return slot.kind == .plainString ? text(slot) : nil
    }

    /// The fields of a nested object, or `nil` if the field isn't there.
    func fields(_ field: FrameField) throws(SharingError) -> FrameFields? {
        let slot = self[field]
        guard slot.kind != .absent else { return nil }
        guard slot.kind == .object else { throw invalid(field, "an object") }
        return try FrameFields(scanning: text(slot), of: field)
    }

    /// The results of `read` for each element of an array of objects.
    func objects<Element>(
        _ field: FrameField,
        _ read: (FrameFields) throws(SharingError) -> Element
    ) throws(SharingError) -> [Element] {
        try values(field).map { element throws(SharingError) in
            try read(try FrameFields(scanning: element, of: field))
        }
    }

    /// The bytes of each element of an array; none if the field isn't there.
    func values(_ field: FrameField) throws(SharingError) -> [UnsafeRawBufferPointer] {
        try elements(field) { scanner throws(JSONFault) in
            let range = try scanner.skipValue()
            return UnsafeRawBufferPointer(rebasing: scanner.bytes[range])
        }
    }

    /// An array of strings; empty if the field isn't there.
    func strings(_ field: FrameField) throws(SharingError) -> [String] {
        try elements(field) { scanner throws(JSONFault) in try scanner.string().text(in: scanner.bytes) }
    }

    /// An array of identifiers; empty if the field isn't there.
    func identifiers<Subject>(_ field: FrameField) throws(SharingError) -> [Identifier<Subject>] {
        let read: [Identifier<Subject>?] = try elements(field) { scanner throws(JSONFault) in
            let string = try scanner.string()
            return Identifier<Subject>(string.text(in: scanner.bytes))
        }
        let valid = read.compactMap(\.self)
        guard valid.count == read.count else { throw invalid(field, "a list of ids, decimal strings") }
        return valid
    }

    /// A refusal of this field's value.
    func invalid(_ field: FrameField, _ expected: String) -> SharingError {
        SharingError(.invalidField, "\(field.name) must be \(expected).")
    }

    /// The value, which must be there.
    func required<Value>(_ value: Value?, _ field: FrameField) throws(SharingError) -> Value {
        guard let value else { throw SharingError(.missingField, "\(field.name) is missing.") }
        return value
    }

    private func elements<Element>(
        _ field: FrameField,
        _ take: (inout JSONScanner) throws(JSONFault) -> Element
    ) throws(SharingError) -> [Element] {
        let slot = self[field]
        guard slot.kind != .absent else { return [] }
        guard slot.kind == .array else { throw invalid(field, "a list") }
        var scanner = JSONScanner(text(slot))
        var elements: [Element] = []
        do throws(JSONFault) {
            try scanner.array { scanner throws(JSONFault) in elements.append(try take(&scanner)) }
        } catch {
            throw invalid(field, "a list of strings")
        }
        return elements
    }

    private func unescaped(_ slot: Slot) -> String {
        // The string with its quotes; it was checked when it was found.
        let quoted = UnsafeRawBufferPointer(rebasing: bytes[Int(slot.start) - 1..<Int(slot.end) + 1])
        var scanner = JSONScanner(quoted)
        guard let string = try? scanner.string() else { return "" }
        return string.text(in: quoted)
    }
}

extension ClosedRange<Int64> {
    /// A whole number in the range, for messages.
    fileprivate var wholeNumber: String {
        if self == Int64.min...Int64.max { return "a whole number" }
        let isOpen = upperBound >= Int64.max - 1
        return isOpen
            ? "a whole number of at least \(lowerBound)" : "a whole number in \(lowerBound)…\(upperBound)"
    }
}
