/// The text directly inside an element, put together from its pieces.
///
/// As long as there is one piece and nothing in it stands for something else, it is a range of the document;
/// only otherwise is it copied.
struct XMLContent {
    private var range: Range<Int>?
    private var copy: [UInt8] = []

    mutating func clear() {
        range = nil
        copy.removeAll(keepingCapacity: true)
    }

    /// Adds text in which references stand, or a CDATA section, in which there are none.
    mutating func append(_ piece: Range<Int>, isLiteral: Bool, in bytes: Span<UInt8>) throws(TrackFileFailure)
    {
        guard !piece.isEmpty else { return }
        if range == nil, copy.isEmpty, isPlain(piece, isLiteral: isLiteral, in: bytes) {
            range = piece
            return
        }
        if let first = range {
            for index in first { copy.append(bytes[index]) }
            range = nil
        }
        try appendCopy(of: piece, isLiteral: isLiteral, in: bytes)
    }

    /// The text without white space around it.
    func withTrimmed<Result>(in bytes: Span<UInt8>, _ body: (Span<UInt8>) -> Result) -> Result {
        guard range == nil else {
            return body(bytes.extracting(Self.trim(range ?? 0..<0, in: bytes)))
        }
        return body(copy.span.extracting(Self.trim(0..<copy.count, in: copy.span)))
    }

    private func isPlain(_ piece: Range<Int>, isLiteral: Bool, in bytes: Span<UInt8>) -> Bool {
        for index in piece where bytes[index] == 0x0D || (bytes[index] == UInt8(ascii: "&") && !isLiteral) {
            return false
        }
        return true
    }

    /// Resolves references, and makes of every line's end a line feed, as XML 1.0 asks in section 2.11.
    private mutating func appendCopy(
        of piece: Range<Int>,
        isLiteral: Bool,
        in bytes: Span<UInt8>
    ) throws(TrackFileFailure) {
        var position = piece.lowerBound
        while position < piece.upperBound {
            let byte = bytes[position]
            if byte == UInt8(ascii: "&"), !isLiteral {
                let reference = try XMLReference(at: position, in: bytes)
                copy.append(contentsOf: UTF8.encode(reference.scalar) ?? UTF8.encodedReplacementCharacter)
                position = reference.end
                continue
            }
            position += 1
            let isFollowedByLineFeed = position < piece.upperBound && bytes[position] == 0x0A
            if byte == 0x0D, isFollowedByLineFeed { continue }
            copy.append(byte == 0x0D ? 0x0A : byte)
        }
    }

    private static func trim(_ range: Range<Int>, in bytes: Span<UInt8>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, XMLCharacters.isSpace(bytes[start]) { start += 1 }
        while start < end, XMLCharacters.isSpace(bytes[end - 1]) { end -= 1 }
        return start..<end
    }
}
