/// Text of a peer that nobody has judged yet is bytes: a part of a frame, a body, a header or a target.
///
/// `String` compares and hashes by characters, and cuts between them. For text with combining marks in the wrong order that takes time
/// in proportion to the square of its length, so a peer could stop a server with one line. These functions take time in proportion to
/// the bytes. Make a `String` of a peer's text to show or to store it, once its length in bytes was checked.
///
/// `StaticString` arguments must be ASCII, and lower case where the name says so. What an error message repeats is bounded by
/// ``excerpt`` and ``name(atMost:)``, what the log has by ``logged(atMost:)``.
extension Collection<UInt8> {
    /// Whether these bytes are a word.
    @inlinable
    package func `is`(_ word: StaticString) -> Bool {
        count == word.utf8CodeUnitCount && begins(with: word)
    }

    /// Whether these bytes are a word of lower case, whatever case their letters have.
    @inlinable
    package func isIgnoringCase(_ word: StaticString) -> Bool {
        count == word.utf8CodeUnitCount && beginsIgnoringCase(with: word)
    }

    /// Whether these bytes begin with a word.
    @inlinable
    package func begins(with word: StaticString) -> Bool {
        begins(with: word) { $0 }
    }

    /// Whether these bytes begin with a word of lower case, whatever case their letters have.
    @inlinable
    package func beginsIgnoringCase(with word: StaticString) -> Bool {
        begins(with: word) { $0.lowercasedLetter }
    }

    @inlinable
    func begins(with word: StaticString, _ folded: (UInt8) -> UInt8) -> Bool {
        var place = 0
        for byte in self {
            guard place < word.utf8CodeUnitCount else { return true }
            guard folded(byte) == word.utf8Start[place] else { return false }
            place += 1
        }
        return place == word.utf8CodeUnitCount
    }

    /// Whether a word stands somewhere in these bytes.
    @inlinable
    package func contains(_ word: StaticString) -> Bool {
        indices.contains { self[$0...].begins(with: word) }
    }

    /// The choice with this name, or `nil` for another text.
    @inlinable
    package func choice<Choice: CaseIterable & RawRepresentable>(of choices: Choice.Type) -> Choice?
    where Choice.RawValue == String {
        choices.allCases.first { $0.rawValue.utf8.elementsEqual(self) }
    }

    /// The text as a name: 1 to `limit` bytes of visible ASCII; `nil` for another one.
    @inlinable
    package func name(atMost limit: Int = 64) -> String? {
        guard !isEmpty, count <= limit, allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        return String(decoding: self, as: UTF8.self)
    }

    /// The beginning, for a refusal that repeats it: at most 64 bytes of whole characters.
    package var excerpt: String {
        let limit = 64
        var bytes = Array(prefix(limit + 1))
        if bytes.count > limit {
            bytes.removeLast()
            // Not half of a character: what follows its first byte begins with the bits 10.
            while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
            if let last = bytes.last, last >= 0xC0 { bytes.removeLast() }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A peer's text for the log, the only form in which it stands there: at most `limit` bytes of it, in visible ASCII and
    /// spaces, with `\\x` and two digits for any other byte, and `...` where it was cut.
    ///
    /// - Parameter limit: The most bytes of the text itself; escaped, each takes four.
    /// - Returns: The text for the line.
    package func logged(atMost limit: Int = 64) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in prefix(limit) {
            if byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\\") {
                text.append(byte)
            } else {
                text += "\\x".utf8
                text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        if !dropFirst(limit).isEmpty { text += "...".utf8 }
        return String(decoding: text, as: UTF8.self)
    }

    /// Without the spaces and tabs around it.
    @inlinable
    package var trimmed: SubSequence {
        var rest = self[...]
        while let first = rest.first, first == 0x20 || first == 0x09 { rest = rest.dropFirst() }
        var end = rest.startIndex
        var place = rest.startIndex
        while place != rest.endIndex {
            let byte = rest[place]
            rest.formIndex(after: &place)
            if byte != 0x20, byte != 0x09 { end = place }
        }
        return rest[..<end]
    }
}

extension UInt8 {
    /// The letter in lower case; any other byte as it is.
    @inlinable
    var lowercasedLetter: UInt8 {
        self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self
    }
}
