import YonderJSON
import YonderModel

/// One pass over a body: where the value of each known name is, and the first name that isn't known.
///
/// `JSONBody` makes one for each request's body, a stranger's bytes: nothing traps, and a fault names the offset. Of a
/// repeated member the last counts. That the first unknown name is noted must stay: `JSONBody` refuses it, as
/// `Documentation/rest.md` promises, so that a client's mistake shows at once.
struct JSONBodyScan {
    private let names: FieldNames
    private(set) var values: [Range<Int>?]

    /// The beginning of the first unknown name.
    private(set) var unknown: String?

    init(_ names: FieldNames) {
        self.names = names
        values = Array(repeating: nil, count: names.count)
    }

    /// Reads an object.
    ///
    /// - Throws: `invalidJSON`, `invalidFrame` for another kind of value.
    mutating func read(_ bytes: [UInt8]) throws(SharingError) {
        let isObject: Bool
        do throws(JSONFault) {
            isObject = try scan(bytes)
        } catch {
            let sentence = bytes.withUnsafeBytes { error.sentence(in: $0) }
            throw SharingError(.invalidJSON, "The body isn't JSON: \(sentence).")
        }
        guard isObject else { throw SharingError(.invalidFrame, "The body must be a JSON object.") }
    }

    private mutating func scan(_ bytes: [UInt8]) throws(JSONFault) -> Bool {
        try bytes.withUnsafeBufferPointer { text throws(JSONFault) in
            var scanner = JSONScanner(UnsafeRawBufferPointer(text), refusesHalfPairs: true)
            let isObject = scanner.next == UInt8(ascii: "{")
            if isObject {
                try scanner.object { scanner, key throws(JSONFault) in
                    let value = try scanner.skipValue()
                    note(key.utf8(in: scanner.bytes), value)
                }
            } else {
                _ = try scanner.skipValue()
            }
            try scanner.end()
            return isObject
        }
    }

    private mutating func note(_ name: [UInt8], _ value: Range<Int>) {
        if let place = names.place(ofSent: name) {
            values[place] = value
        } else if unknown == nil {
            unknown = name.excerpt
        }
    }
}
