/// Decodes the unmasked text frames that a server writes.
public enum TextFrames {
    /// The payloads of the frames in some bytes, in order; the first incomplete or other frame ends them.
    public static func payloads(of bytes: some Collection<UInt8>) -> [String] {
        var rest = Array(bytes)[...]
        var payloads: [String] = []
        while let payload = next(&rest) { payloads.append(payload) }
        return payloads
    }

    private static func next(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard rest.popFirst() == 0x81, let short = rest.popFirst() else { return nil }
        let length: Int? =
            switch short {
            case 126: integer(2, &rest)
            case 127: integer(8, &rest)
            default: Int(short)
            }
        guard let length, rest.count >= length else { return nil }
        defer { rest = rest.dropFirst(length) }
        return String(decoding: rest.prefix(length), as: UTF8.self)
    }

    private static func integer(_ size: Int, _ rest: inout ArraySlice<UInt8>) -> Int? {
        guard rest.count >= size else { return nil }
        defer { rest = rest.dropFirst(size) }
        return rest.prefix(size).reduce(0) { $0 << 8 | Int($1) }
    }
}
