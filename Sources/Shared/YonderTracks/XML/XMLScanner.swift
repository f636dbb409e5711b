/// Reads XML from left to right, one tag or piece of text at a time, without copying.
///
/// This is the part of XML 1.0 that data files use: UTF-8; elements, attributes, text, CDATA sections; the
/// five predefined entities and character references; comments and processing instructions, which are
/// skipped. A document type is refused, and with it other entities. All characters beyond ASCII are allowed
/// in names. Tags must match, and there is one outermost element.
///
/// `GPXReader` makes one for each file, whose bytes are all there, and calls ``next(in:)`` with the same bytes until
/// `finished`. A failure has its offset and ends the reading; the scanner isn't used after it. Nothing traps, and memory is
/// bounded: at most ``greatestDepth`` levels (else `tooComplex`) and ``mostAttributes`` attributes of an element. Both
/// numbers may be raised. That a document type is refused must stay: entities that expand would let a small file fill the
/// memory (`GPXReaderTests`).
struct XMLScanner {
    /// A piece of the document, as a range of its bytes.
    enum Token: Hashable {
        /// The name of a start tag, or of an empty element, whose ``end(_:)`` follows. See ``attributes``.
        case start(Range<Int>)

        /// The name of an end tag.
        case end(Range<Int>)

        /// Text with unresolved references.
        case text(Range<Int>)

        /// The inside of a CDATA section.
        case literal(Range<Int>)

        /// The document has ended and is well-formed.
        case finished
    }

    struct Attribute {
        let name: Range<Int>
        let value: Range<Int>
    }

    static let greatestDepth = 64
    static let mostAttributes = 64

    /// The attributes of the last start tag.
    private(set) var attributes: [Attribute] = []

    /// The position of the next token.
    private(set) var position = 0

    private var openElements: [Range<Int>] = []
    private var isEmptyElement = false
    private var hasRoot = false

    /// Checks the characters of the whole document, and skips its declaration.
    init(_ bytes: Span<UInt8>) throws(TrackFileFailure) {
        try XMLCharacters.validate(bytes)
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { position = 3 }
        if startsWith("<?xml", in: bytes), position + 5 < bytes.count,
            XMLCharacters.isSpace(bytes[position + 5])
        {
            try readDeclaration(in: bytes)
        }
    }

    /// The next token; after ``Token/finished`` there is none.
    mutating func next(in bytes: Span<UInt8>) throws(TrackFileFailure) -> Token {
        if isEmptyElement {
            isEmptyElement = false
            return .end(openElements.removeLast())
        }
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "<") else {
                let text = try readText(in: bytes)
                if openElements.isEmpty { continue }
                return .text(text)
            }
            switch byte(after: 1, in: bytes) {
            case UInt8(ascii: "/"): return try readEndTag(in: bytes)
            case UInt8(ascii: "?"): try skipInstruction(in: bytes)
            case UInt8(ascii: "!"):
                if let literal = try readMarkup(in: bytes) { return .literal(literal) }
            default: return try readStartTag(in: bytes)
            }
        }
        guard hasRoot, openElements.isEmpty else { throw failure() }
        return .finished
    }
}

// Tags.
extension XMLScanner {
    private mutating func readStartTag(in bytes: Span<UInt8>) throws(TrackFileFailure) -> Token {
        guard !openElements.isEmpty || !hasRoot else { throw failure() }
        guard openElements.count < Self.greatestDepth else { throw failure(.tooComplex) }
        position += 1
        let name = try readName(in: bytes)
        try readAttributes(in: bytes)
        if byte(after: 0, in: bytes) == UInt8(ascii: "/") {
            position += 1
            isEmptyElement = true
        }
        try expect(">", in: bytes)
        openElements.append(name)
        hasRoot = true
        return .start(name)
    }

    private mutating func readEndTag(in bytes: Span<UInt8>) throws(TrackFileFailure) -> Token {
        guard let opened = openElements.popLast() else { throw failure() }
        position += 2
        guard equal(opened, at: position, in: bytes) else { throw failure() }
        let name = position..<position + opened.count
        position = name.upperBound
        skipSpace(in: bytes)
        try expect(">", in: bytes)
        return .end(name)
    }

    private mutating func readAttributes(in bytes: Span<UInt8>) throws(TrackFileFailure) {
        attributes.removeAll(keepingCapacity: true)
        while true {
            let end = position
            skipSpace(in: bytes)
            let byte = byte(after: 0, in: bytes)
            if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") { return }
            guard position > end else { throw failure() }
            guard attributes.count < Self.mostAttributes else { throw failure(.tooComplex) }
            try readAttribute(in: bytes)
        }
    }

    private mutating func readAttribute(in bytes: Span<UInt8>) throws(TrackFileFailure) {
        let name = try readName(in: bytes)
        for attribute in attributes where attribute.name.count == name.count {
            if equal(attribute.name, at: name.lowerBound, in: bytes) { throw failure() }
        }
        skipSpace(in: bytes)
        try expect("=", in: bytes)
        skipSpace(in: bytes)
        guard let quote = byte(after: 0, in: bytes), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
        else {
            throw failure()
        }
        position += 1
        let start = position
        while let byte = byte(after: 0, in: bytes), byte != quote {
            switch byte {
            case UInt8(ascii: "<"): throw failure()
            case UInt8(ascii: "&"): position = try XMLReference(at: position, in: bytes).end
            default: position += 1
            }
        }
        guard position < bytes.count else { throw failure() }
        attributes.append(Attribute(name: name, value: start..<position))
        position += 1
    }

    private mutating func readName(in bytes: Span<UInt8>) throws(TrackFileFailure) -> Range<Int> {
        let start = position
        guard let first = byte(after: 0, in: bytes), XMLCharacters.beginsName(first) else { throw failure() }
        while let byte = byte(after: 0, in: bytes), XMLCharacters.continuesName(byte) { position += 1 }
        return start..<position
    }
}

// Text and markup between tags.
extension XMLScanner {
    private mutating func readText(in bytes: Span<UInt8>) throws(TrackFileFailure) -> Range<Int> {
        let start = position
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "<") { break }
            if openElements.isEmpty, !XMLCharacters.isSpace(byte) { throw failure() }
            if byte == UInt8(ascii: "&") {
                position = try XMLReference(at: position, in: bytes).end
            } else if byte == UInt8(ascii: "]"), startsWith("]]>", in: bytes) {
                throw failure()
            } else {
                position += 1
            }
        }
        return start..<position
    }

    /// Skips a comment, or reads a CDATA section; `position` is at `<!`.
    private mutating func readMarkup(in bytes: Span<UInt8>) throws(TrackFileFailure) -> Range<Int>? {
        if startsWith("<!--", in: bytes) {
            position += 4
            try skip(to: "--", in: bytes)
            try expect(">", in: bytes)
            return nil
        }
        if startsWith("<!DOCTYPE", in: bytes) { throw failure(.documentType) }
        guard startsWith("<![CDATA[", in: bytes), !openElements.isEmpty else { throw failure() }
        position += 9
        let start = position
        try skip(to: "]]>", in: bytes)
        return start..<position - 3
    }

    private mutating func skipInstruction(in bytes: Span<UInt8>) throws(TrackFileFailure) {
        position += 2
        let target = try readName(in: bytes)
        let isReserved =
            target.count == 3 && bytes[target.lowerBound] | 0x20 == UInt8(ascii: "x")
            && bytes[target.lowerBound + 1] | 0x20 == UInt8(ascii: "m")
            && bytes[target.lowerBound + 2] | 0x20 == UInt8(ascii: "l")
        let endsHere = startsWith("?>", in: bytes)
        guard !isReserved, endsHere || byte(after: 0, in: bytes).map(XMLCharacters.isSpace) == true else {
            throw failure()
        }
        try skip(to: "?>", in: bytes)
    }

    /// Reads `<?xml version="1.0" encoding="UTF-8"?>`.
    private mutating func readDeclaration(in bytes: Span<UInt8>) throws(TrackFileFailure) {
        position += 5
        try readAttributes(in: bytes)
        guard startsWith("?>", in: bytes) else { throw failure() }
        let known = attributes.map { XMLDeclarationPart($0.name, in: bytes) }
        let isOrdered = zip(known, known.dropFirst()).allSatisfy { $0.rawValue < $1.rawValue }
        guard known.first == .version, isOrdered, known.last != .unknown else { throw failure() }
        for (part, attribute) in zip(known, attributes) where !part.allows(attribute.value, in: bytes) {
            throw TrackFileFailure(
                part == .encoding ? .notUTF8 : .notWellFormed,
                at: attribute.value.lowerBound
            )
        }
        position += 2
    }
}

// Single bytes.
extension XMLScanner {
    private func failure(_ reason: TrackFileFailure.Reason = .notWellFormed) -> TrackFileFailure {
        TrackFileFailure(reason, at: position)
    }

    @inline(__always)
    private func byte(after count: Int, in bytes: Span<UInt8>) -> UInt8? {
        position + count < bytes.count ? bytes[position + count] : nil
    }

    private func startsWith(_ text: StaticString, in bytes: Span<UInt8>) -> Bool {
        XMLCharacters.equal(text, at: position, in: bytes)
    }

    private func equal(_ range: Range<Int>, at start: Int, in bytes: Span<UInt8>) -> Bool {
        guard start + range.count <= bytes.count else { return false }
        for index in 0..<range.count where bytes[range.lowerBound + index] != bytes[start + index] {
            return false
        }
        return true
    }

    private mutating func skipSpace(in bytes: Span<UInt8>) {
        while let byte = byte(after: 0, in: bytes), XMLCharacters.isSpace(byte) { position += 1 }
    }

    private mutating func expect(_ character: Unicode.Scalar, in bytes: Span<UInt8>) throws(TrackFileFailure)
    {
        guard let byte = byte(after: 0, in: bytes), UInt32(byte) == character.value else { throw failure() }
        position += 1
    }

    /// Skips to the end of the next occurrence of a text.
    private mutating func skip(to text: StaticString, in bytes: Span<UInt8>) throws(TrackFileFailure) {
        while position < bytes.count {
            if startsWith(text, in: bytes) {
                position += text.utf8CodeUnitCount
                return
            }
            position += 1
        }
        throw failure()
    }
}
