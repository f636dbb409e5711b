import YonderJSON
import YonderModel
import YonderREST

/// A file format for importing and exporting objects.
///
/// `ObjectFileEndpoints` reads one of each request; imports and exports choose their reader or writer by it. Names and
/// types are promised in `Documentation/objects.md` and `openapi.yaml`. A further format is a case, an `ObjectRows` and
/// an `ObjectFileWriter`. The byte limit may be raised.
enum ObjectFileFormat: String, Hashable, Sendable, CaseIterable {
    case csv
    case geojson

    /// The format's media type in HTTP.
    var mediaType: StaticString {
        switch self {
        case .csv: "text/csv"
        case .geojson: "application/geo+json"
        }
    }

    /// The most bytes of a row or a feature: twice the largest object, and as much for ignored columns.
    static let rowByteLimit = 4 * Object.byteLimit

    /// The media types of all formats.
    static let mediaTypes = FieldNames(allCases.map(\.mediaType))
}

extension RESTQuery {
    /// The file format that the `format` parameter names.
    ///
    /// - Throws: `missingField`, `invalidField`.
    func format() throws(SharingError) -> ObjectFileFormat {
        guard let name = string("format") else {
            throw SharingError(.missingField, "format is missing: csv or geojson.")
        }
        guard let format = name.utf8.choice(of: ObjectFileFormat.self) else {
            throw SharingError(.invalidField, "format must be csv or geojson.")
        }
        return format
    }
}
