import YonderModel
import YonderRules
import YonderJSON
import YonderREST

/// The outcome of an import, by row.
///
/// `ObjectImport` records each row in order, and its endpoint answers with the report at the end, also when the import
/// was broken off. Nothing fails. The members of the JSON are promised in `Documentation/objects.md` and `openapi.yaml`;
/// both limits may be changed there and here (`ImportTests`).
///
/// The order of the errors must stay, by row.
struct ImportReport: Sendable {
    /// The most errors that are listed.
    static let errorLimit = 1_000

    /// The most objects that a preview lists.
    static let objectLimit = 20

    /// The first errors; further ones are only counted.
    private(set) var errors: [(row: Int, error: SharingError)] = []

    /// The objects that the first rows would become.
    private(set) var objects: [(row: Int, fields: [UInt8])] = []

    private(set) var created = 0
    private(set) var changed = 0
    private(set) var unchanged = 0
    private(set) var refused = 0

    /// The number of created objects whose row had an id that isn't an object of this entity.
    private(set) var renamed = 0

    /// The number of rows.
    var rows: Int { created + changed + unchanged + refused }

    /// The number of objects written.
    var kept: Int { created + changed }

    /// Records the outcome of the next row.
    mutating func take(_ row: FileRow, _ result: Result<ObjectChange, SharingError>, isPreview: Bool) {
        let change: ObjectChange
        switch result {
        case .success(let made): change = made
        case .failure(let error):
            refused += 1
            if errors.count < Self.errorLimit { errors.append((row.number, error)) }
            return
        }
        if change.before == nil {
            created += 1
            if let imported = try? row.result.get(), imported.name != .none { renamed += 1 }
        } else if change.before?.updated == change.after?.updated {
            unchanged += 1
        } else {
            changed += 1
        }
        if isPreview, objects.count < Self.objectLimit, let record = change.record {
            objects.append((row.number, record.fields))
        }
    }
}

extension JSONWriter {
    /// Appends a report, with `objects` if it is a preview.
    mutating func report(_ report: ImportReport, _ columns: [ImportColumn], isPreview: Bool) {
        raw("{\"rows\":")
        integer(Int64(report.rows))
        raw(",\"created\":")
        integer(Int64(report.created))
        raw(",\"changed\":")
        integer(Int64(report.changed))
        raw(",\"unchanged\":")
        integer(Int64(report.unchanged))
        raw(",\"refused\":")
        integer(Int64(report.refused))
        raw(",\"renamed\":")
        integer(Int64(report.renamed))
        raw(",\"columns\":")
        list(columns) { $0.column($1) }
        raw(",\"errors\":")
        list(report.errors) { $0.refusal($1.row, $1.error) }
        if isPreview {
            raw(",\"objects\":")
            list(report.objects) { writer, object in
                writer.raw("{\"row\":")
                writer.integer(Int64(object.row))
                writer.raw(",\"fields\":")
                writer.raw(object.fields)
                writer.raw("}")
            }
        }
        raw("}")
    }

    private mutating func column(_ column: ImportColumn) {
        raw("{\"name\":")
        string(column.name)
        optional(",\"field\":", column.target?.name)
        if case .part(let part, of: _)? = column.target { optional(",\"part\":", part.rawValue) }
        raw("}")
    }

    private mutating func refusal(_ row: Int, _ error: SharingError) {
        raw("{\"row\":")
        integer(Int64(row))
        raw(",\"code\":")
        string(error.code.rawValue)
        raw(",\"message\":")
        string(error.message)
        raw("}")
    }
}
