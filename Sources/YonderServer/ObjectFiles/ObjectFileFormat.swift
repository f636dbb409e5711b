import YonderModel

/// A kind of file that objects are written to and read from.
enum ObjectFileFormat: String, Hashable, Sendable, CaseIterable {
    case csv
    case geojson

    /// What HTTP calls it.
    var mediaType: String {
        switch self {
        case .csv: "text/csv"
        case .geojson: "application/geo+json"
        }
    }

    /// How many bytes a row or a feature may have: twice the greatest object, and as much for what is ignored.
    static let rowByteLimit = 4 * Object.byteLimit

    /// Every media type that there is for a file.
    static let mediaTypes = Set(allCases.map(\.mediaType))
}

extension RESTQuery {
    /// What `format` says.
    ///
    /// - Throws: `missingField`, `invalidField`.
    func format() throws(SharingError) -> ObjectFileFormat {
        guard let name = string("format") else {
            throw SharingError(.missingField, "format is missing: csv or geojson.")
        }
        guard let format = ObjectFileFormat(rawValue: name) else {
            throw SharingError(.invalidField, "format must be csv or geojson.")
        }
        return format
    }
}
