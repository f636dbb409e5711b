/// The query of a request's path, of which only letters, digits and `-._~` are written as they are (RFC 3986).
///
/// The calls of `RESTClient` write their parameters with it. It can't fail; whatever could end a field is escaped, which must
/// stay (`RESTClientTests`).
struct Query {
    private(set) var text = ""

    /// Adds a field, unless it has no value.
    mutating func add(_ name: String, _ value: (some CustomStringConvertible)?) {
        guard let value else { return }
        text += "\(text.isEmpty ? "?" : "&")\(name)=\(Self.escaped(value.description))"
    }

    /// A value as a part of a path or a query.
    static func escaped(_ value: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
