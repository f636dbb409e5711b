/// What an XML declaration says, in the order in which it must.
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

    /// UTF-8 or its part ASCII, in any case.
    private static func isUTF8(_ value: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        var name = ""
        for index in value { name.unicodeScalars.append(Unicode.Scalar(bytes[index])) }
        return ["utf-8", "us-ascii"].contains(name.lowercased())
    }
}
