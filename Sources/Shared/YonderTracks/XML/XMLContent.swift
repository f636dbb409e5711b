/// The text directly inside an element, assembled from its pieces.
///
/// A single piece without references is a range of the document; only otherwise is the text copied.
///
/// `GPXReader` has one for the element whose text it reads: it clears it at the start tag, appends each piece, and reads the
/// text at the end tag. A broken reference throws with its offset, and ends the file's reading. Line ends and references must
/// become what XML 1.0 says (`GPXReaderTests`); when a text is copied decides speed alone.
struct XMLContent {
    private var range: Range<Int>?
    private var copy: [UInt8] = []

    mutating func clear() {
        range = nil
        copy.removeAll(keepingCapacity: true)
    }

    /// Adds text, which may contain references, or a CDATA section, which contains none.
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

    /// Calls `body` with the text, without white space around it.
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

    /// Resolves references, and converts every line end to a line feed, as XML 1.0 requires in section 2.11.
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
