import Hummingbird
import YonderGeodesy
import YonderModel

/// A request's query parameters, each asked for by name; a value that can't be one is refused.
struct RESTQuery {
    private let values: [Substring: Substring]
    private let all: [(name: Substring, value: Substring)]

    init(_ request: Request) {
        var values: [Substring: Substring] = [:]
        var all: [(name: Substring, value: Substring)] = []
        for (name, value) in request.uri.queryParameters {
            values[name] = value
            all.append((name, value))
        }
        self.values = values
        self.all = all
    }

    func string(_ name: String) -> String? {
        values[name[...]].map(String.init)
    }

    /// Every value of a parameter that may stand there more than once, in the order in which they do.
    func strings(_ name: String) -> [String] {
        all.filter { $0.name == name[...] }.map { String($0.value) }
    }

    /// A latitude and a longitude in degrees with a comma between.
    func coordinate(_ name: String) throws(SharingError) -> Coordinate? {
        guard let corner = try corner(name) else { return nil }
        return Coordinate(latitude: corner.latitude, longitude: corner.longitude)
    }

    /// A latitude in -90…90 and a longitude in -180…180 as they stand there: of a region's edges, 180 isn't -180.
    func corner(_ name: String) throws(SharingError) -> (latitude: Double, longitude: Double)? {
        guard let text = values[name[...]] else { return nil }
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map(Self.number)
        guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1],
            (-90...90).contains(latitude), (-180...180).contains(longitude)
        else { throw invalid(name, "a latitude and a longitude in degrees, with a comma between") }
        return (latitude, longitude)
    }

    /// A length in meters, not below zero.
    func distance(_ name: String) throws(SharingError) -> Distance? {
        guard let text = values[name[...]] else { return nil }
        guard let meters = Self.number(text), meters >= 0, let distance = Distance(meters: meters) else {
            throw invalid(name, "a number of meters")
        }
        return distance
    }

    private static func number(_ text: Substring) -> Double? {
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
