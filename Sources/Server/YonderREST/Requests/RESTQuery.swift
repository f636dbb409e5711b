package import YonderGeodesy
import YonderJSON
package import YonderModel

/// A request's query parameters by name; an invalid value is refused.
///
/// `RESTRoutes` reads one for each request, before the endpoint runs; endpoints then ask for values. All come from
/// strangers: nothing traps, and a refusal names the parameter and what is accepted. That an unknown or repeated name is
/// refused must stay, as `Documentation/rest.md` promises it. A further type of value is a function
/// here.
package struct RESTQuery {
    private let names: FieldNames

    /// The values of each name, in the order of the names.
    private let values: [[String]]

    /// No parameters.
    static let none = RESTQuery(names: [], values: [])

    private init(names: FieldNames, values: [[String]]) {
        (self.names, self.values) = (names, values)
    }

    /// Reads the parameters of a request's target, and decodes their values.
    ///
    /// - Throws: `unknownField` for a parameter that isn't `allowed`; `invalidField` for one that is given twice and isn't in
    ///   `repeating`, for a value with an invalid escape, and for one that isn't UTF-8.
    init(target: String, allowed: FieldNames, repeating: FieldNames) throws(SharingError) {
        var values = Array(repeating: [String](), count: allowed.count)
        let target = target.utf8.prefix { $0 != UInt8(ascii: "#") }
        if let mark = target.firstIndex(of: UInt8(ascii: "?")) {
            for part in target[mark...].dropFirst().split(separator: UInt8(ascii: "&")) {
                let end = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
                let name = part[..<end]
                guard let place = allowed.place(ofSent: name) else {
                    throw SharingError(
                        .unknownField,
                        "Unknown query parameter \(name.excerpt); allowed are \(allowed.listed)."
                    )
                }
                guard values[place].isEmpty || repeating.place(ofSent: name) != nil else {
                    throw SharingError(.invalidField, "\(name.excerpt) is given twice; send it once.")
                }
                guard let value = PercentEncoding.decoded(target: part[end...].dropFirst()) else {
                    throw SharingError(
                        .invalidField,
                        "\(name.excerpt): the value must have valid percent-encoding, of UTF-8."
                    )
                }
                values[place].append(value)
            }
        }
        (names, self.values) = (allowed, values)
    }

    /// The value of a parameter as it was sent: look at its bytes before anything else.
    package func string(_ name: StaticString) -> String? { strings(name).last }

    /// All values of a parameter that may be repeated, in their original order.
    package func strings(_ name: StaticString) -> [String] {
        names.place(of: name).map { values[$0] } ?? []
    }

    /// A parameter with latitude and longitude in degrees, separated by a comma.
    package func coordinate(_ name: StaticString) throws(SharingError) -> Coordinate? {
        guard let corner = try corner(name) else { return nil }
        return Coordinate(latitude: corner.latitude, longitude: corner.longitude)
    }

    /// A latitude in -90…90 and a longitude in -180…180, not folded: as an edge of a region, 180 differs from
    /// -180.
    package func corner(_ name: StaticString) throws(SharingError) -> (latitude: Double, longitude: Double)? {
        guard let text = string(name) else { return nil }
        guard let comma = text.utf8.firstIndex(of: UInt8(ascii: ",")),
            let latitude = Self.number(text[..<comma]),
            let longitude = Self.number(text[text.utf8.index(after: comma)...]),
            (-90...90).contains(latitude), (-180...180).contains(longitude)
        else { throw invalid(name, "a latitude and a longitude in degrees, with a comma between") }
        return (latitude, longitude)
    }

    /// A parameter with a length in meters, zero or more.
    package func distance(_ name: StaticString) throws(SharingError) -> Distance? {
        guard let text = string(name) else { return nil }
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

    package func integer(_ name: StaticString, in range: ClosedRange<Int64>) throws(SharingError) -> Int64? {
        guard let text = string(name) else { return nil }
        let bytes = Array(text.utf8)
        let number = bytes.withUnsafeBytes { JSONNumber.integer($0, 0..<$0.count) }
        guard let value = number, range.contains(value) else {
            throw invalid(name, "a whole number in \(range.lowerBound)…\(range.upperBound)")
        }
        return value
    }

    package func time(_ name: StaticString) throws(SharingError) -> Timestamp? {
        try integer(name, in: Int64.min...Int64.max).map(Timestamp.init(milliseconds:))
    }

    package func identifier<Subject>(_ name: StaticString) throws(SharingError) -> Identifier<Subject>? {
        guard let text = string(name) else { return nil }
        guard let id = Identifier<Subject>(text) else { throw invalid(name, "an id, a decimal number") }
        return id
    }

    package func tag(_ name: StaticString) throws(SharingError) -> MessageTag? {
        guard let text = string(name) else { return nil }
        guard let tag = MessageTag(text) else {
            throw invalid(name, "a tag: 1 to 64 visible ASCII characters without \" and backslashes")
        }
        return tag
    }

    package func boolean(_ name: StaticString) throws(SharingError) -> Bool? {
        guard let text = string(name) else { return nil }
        guard text.utf8.is("true") || text.utf8.is("false") else { throw invalid(name, "true or false") }
        return text.utf8.is("true")
    }

    private func invalid(_ name: StaticString, _ kind: String) -> SharingError {
        SharingError(.invalidField, "\(name) must be \(kind).")
    }
}
