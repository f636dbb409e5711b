package import YonderGeodesy
import YonderJSON
package import YonderModel

/// A request's query parameters by name; an invalid value is refused.
package struct RESTQuery {
    private let values: [Substring: String]
    private let all: [(name: Substring, value: String)]

    /// Reads the parameters of a request's target, and decodes their values.
    ///
    /// - Throws: `invalidField` for a value with an invalid escape, or one that isn't UTF-8.
    init(target: String) throws(SharingError) {
        var all: [(name: Substring, value: String)] = []
        let target = target.utf8.prefix { $0 != UInt8(ascii: "#") }
        if let mark = target.firstIndex(of: UInt8(ascii: "?")) {
            for part in target[mark...].dropFirst().split(separator: UInt8(ascii: "&")) {
                all.append(try Self.parameter(part))
            }
        }
        self.all = all
        values = Dictionary(all.map { ($0.name, $0.value) }) { $1 }
    }

    private static func parameter(_ part: Substring.UTF8View) throws(SharingError) -> (
        name: Substring, value: String
    ) {
        let end = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
        let name = Substring(part[..<end])
        guard let value = PercentEncoding.decoded(target: part[end...].dropFirst()) else {
            throw SharingError(
                .invalidField,
                "\(name.prefix(64)): the value must have valid percent-encoding, of UTF-8."
            )
        }
        return (name, value)
    }

    /// Refuses parameters other than `allowed`, and repeated ones other than `repeating`.
    ///
    /// - Throws: `unknownField`, `invalidField`.
    func check(allowed: Set<String>, repeating: Set<String>) throws(SharingError) {
        var seen: Set<Substring> = []
        for name in all.lazy.map(\.name) {
            guard allowed.contains(String(name)) else {
                let names = allowed.isEmpty ? "none" : allowed.sorted().joined(separator: ", ")
                throw SharingError(
                    .unknownField,
                    "Unknown query parameter \(name.prefix(64)); allowed are \(names)."
                )
            }
            guard seen.insert(name).inserted || repeating.contains(String(name)) else {
                throw SharingError(.invalidField, "\(name) is given twice; send it once.")
            }
        }
    }

    /// No parameters.
    static let none = RESTQuery()

    private init() {
        (values, all) = ([:], [])
    }

    package func string(_ name: String) -> String? { values[name[...]] }

    /// All values of a parameter that may be repeated, in their original order.
    package func strings(_ name: String) -> [String] {
        all.filter { $0.name == name[...] }.map(\.value)
    }

    /// A parameter with latitude and longitude in degrees, separated by a comma.
    package func coordinate(_ name: String) throws(SharingError) -> Coordinate? {
        guard let corner = try corner(name) else { return nil }
        return Coordinate(latitude: corner.latitude, longitude: corner.longitude)
    }

    /// A latitude in -90…90 and a longitude in -180…180, not folded: as an edge of a region, 180 differs from
    /// -180.
    package func corner(_ name: String) throws(SharingError) -> (latitude: Double, longitude: Double)? {
        guard let text = values[name[...]] else { return nil }
        guard let comma = text.utf8.firstIndex(of: UInt8(ascii: ",")),
            let latitude = Self.number(text[..<comma]),
            let longitude = Self.number(text[text.utf8.index(after: comma)...]),
            (-90...90).contains(latitude), (-180...180).contains(longitude)
        else { throw invalid(name, "a latitude and a longitude in degrees, with a comma between") }
        return (latitude, longitude)
    }

    /// A parameter with a length in meters, zero or more.
    package func distance(_ name: String) throws(SharingError) -> Distance? {
        guard let text = values[name[...]] else { return nil }
        guard let meters = Self.number(text), meters >= 0, let distance = Distance(meters: meters) else {
            throw invalid(name, "a number of meters")
        }
        return distance
    }

    private static func number(_ text: some StringProtocol) -> Double? {
        let bytes = Array(text.utf8)
        let isNumber = bytes.withUnsafeBytes { JSONNumber.end(in: $0, from: 0) == $0.count }
        return isNumber && bytes.count <= 32 ? Double(text) : nil
    }

    package func integer(_ name: String, in range: ClosedRange<Int64>) throws(SharingError) -> Int64? {
        guard let text = values[name[...]] else { return nil }
        let bytes = Array(text.utf8)
        let number = bytes.withUnsafeBytes { JSONNumber.integer($0, 0..<$0.count) }
        guard let value = number, range.contains(value) else {
            throw invalid(name, "a whole number in \(range.lowerBound)…\(range.upperBound)")
        }
        return value
    }

    package func time(_ name: String) throws(SharingError) -> Timestamp? {
        try integer(name, in: Int64.min...Int64.max).map(Timestamp.init(milliseconds:))
    }

    package func identifier<Subject>(_ name: String) throws(SharingError) -> Identifier<Subject>? {
        guard let text = values[name[...]] else { return nil }
        guard let id = Identifier<Subject>(text) else { throw invalid(name, "an id, a decimal number") }
        return id
    }

    package func tag(_ name: String) throws(SharingError) -> MessageTag? {
        guard let text = values[name[...]] else { return nil }
        guard let tag = MessageTag(text) else {
            throw invalid(name, "a tag: 1 to 64 visible ASCII characters without \" and backslashes")
        }
        return tag
    }

    package func boolean(_ name: String) throws(SharingError) -> Bool? {
        guard let text = values[name[...]] else { return nil }
        guard text == "true" || text == "false" else { throw invalid(name, "true or false") }
        return text == "true"
    }

    private func invalid(_ name: String, _ kind: String) -> SharingError {
        SharingError(.invalidField, "\(name) must be \(kind).")
    }
}
