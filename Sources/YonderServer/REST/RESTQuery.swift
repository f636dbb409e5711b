import Hummingbird
import YonderGeodesy
import YonderModel

/// A request's query parameters, each asked for by name; a value that can't be one is refused.
struct RESTQuery {
    private let values: [Substring: Substring]

    init(_ request: Request) {
        var values: [Substring: Substring] = [:]
        for (name, value) in request.uri.queryParameters { values[name] = value }
        self.values = values
    }

    func string(_ name: String) -> String? {
        values[name[...]].map(String.init)
    }

    /// A latitude and a longitude in degrees with a comma between.
    func coordinate(_ name: String) throws(SharingError) -> Coordinate? {
        guard let text = values[name[...]] else { return nil }
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map(Self.degrees)
        guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1],
            (-180...180).contains(longitude),
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        else { throw invalid(name, "a latitude and a longitude in degrees, with a comma between") }
        return coordinate
    }

    private static func degrees(_ text: Substring) -> Double? {
        let bytes = Array(text.utf8)
        let isNumber = bytes.withUnsafeBytes { JSONNumber.end(in: $0, from: 0) == $0.count }
        return isNumber && bytes.count <= 32 ? Double(text) : nil
    }

    func integer(_ name: String, in range: ClosedRange<Int64>) throws(SharingError) -> Int64? {
        guard let text = values[name[...]] else { return nil }
        guard let value = Int64(text), text.first != "+", range.contains(value) else {
            throw invalid(name, "a whole number in \(range.lowerBound)…\(range.upperBound)")
        }
        return value
    }

    func time(_ name: String) throws(SharingError) -> Timestamp? {
        try integer(name, in: Int64.min...Int64.max).map(Timestamp.init(milliseconds:))
    }

    func identifier<Subject>(_ name: String) throws(SharingError) -> Identifier<Subject>? {
        guard let text = values[name[...]] else { return nil }
        guard let id = Identifier<Subject>(String(text)) else { throw invalid(name, "an id") }
        return id
    }

    func tag(_ name: String) throws(SharingError) -> MessageTag? {
        guard let text = values[name[...]] else { return nil }
        guard let tag = MessageTag(String(text)) else { throw invalid(name, "a tag") }
        return tag
    }

    func boolean(_ name: String) throws(SharingError) -> Bool? {
        guard let text = values[name[...]] else { return nil }
        guard text == "true" || text == "false" else { throw invalid(name, "true or false") }
        return text == "true"
    }

    private func invalid(_ name: String, _ kind: String) -> SharingError {
        SharingError(.invalidField, "\(name) must be \(kind).")
    }
}
