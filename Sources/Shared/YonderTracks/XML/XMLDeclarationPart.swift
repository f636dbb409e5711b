/// The parts of an XML declaration, in their required order.
///
/// `XMLScanner` reads a document's first line with it; what it doesn't allow is `notWellFormed` or `notUTF8`. Only UTF-8 and
/// ASCII may be declared (`GPXReaderTests`).
enum XMLDeclarationPart: Int {
    case version, encoding, standalone, unknown

    init(_ name: Range<Int>, in bytes: Span<UInt8>) {
        self =
            XMLCharacters.equal("version", name, in: bytes)
            ? .version
            : XMLCharacters.equal("encoding", name, in: bytes)
                ? .encoding
                : XMLCharacters.equal("standalone", name, in: bytes) ? .standalone : .unknown
    }

    func allows(_ value: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        switch self {
        case .version: XMLCharacters.equal("1.0", value, in: bytes)
        case .encoding: Self.isUTF8(value, in: bytes)
        case .standalone:
            XMLCharacters.equal("yes", value, in: bytes) || XMLCharacters.equal("no", value, in: bytes)
        case .unknown: false
        }
    }

    /// Whether the encoding is UTF-8, or its subset ASCII, in any case.
    private static func isUTF8(_ value: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        var name = ""
        for index in value { name.unicodeScalars.append(Unicode.Scalar(bytes[index])) }
        return ["utf-8", "us-ascii"].contains(name.lowercased())
    }
}
