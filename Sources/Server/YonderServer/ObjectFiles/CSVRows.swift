import YonderJSON
import YonderModel
import YonderTracks

/// Reads objects from a CSV file.
///
/// `ObjectImport` makes one for a file and passes it the bytes as they come. A header that can't be read ends the
/// import; a record with a fault becomes a refused row. No bytes trap. Limits of a field and a record are constants of
/// `ObjectFileFormat`, and may be changed; the accepted form is promised in `Documentation/objects.md` (`ImportTests`).
struct CSVRows: ObjectRows {
    private let entity: Entity
    private let overrides: ColumnOverrides
    private var reader = CSVReader(
        limits: CSVReader.Limits(rowLength: ObjectFileFormat.rowByteLimit, columns: ColumnPlan.columnLimit),
        allowsZero: true
    )
    private var plan: ColumnPlan?
    private var count = 0

    init(_ entity: Entity, _ overrides: ColumnOverrides) {
        self.entity = entity
        self.overrides = overrides
    }

    var columns: [ImportColumn] {
        guard let plan, let names = reader.columns else { return [] }
        return zip(names, plan.targets).map(ImportColumn.init)
    }

    mutating func read(_ bytes: [UInt8]) throws(SharingError) -> [FileRow] {
        try rows(reader.read(bytes))
    }

    mutating func finish(isPartial: Bool) throws(SharingError) -> [FileRow] {
        let rows = isPartial && plan != nil ? [] : try rows(reader.finish())
        if plan == nil { try makePlan() }
        return rows
    }

    private mutating func rows(_ records: [CSVReader.Record]) throws(SharingError) -> [FileRow] {
        if let failure = records.first?.failure, reader.columns == nil {
            let sentence = failure.reason.sentence
            throw SharingError(.invalidFile, "The header must be a row of column names: \(sentence)")
        }
        if plan == nil, reader.columns != nil { try makePlan() }
        var rows: [FileRow] = []
        rows.reserveCapacity(records.count)
        for record in records {
            count += 1
            rows.append(FileRow(number: count, result: Result { () throws(SharingError) in try row(record) }))
        }
        return rows
    }

    private mutating func makePlan() throws(SharingError) {
        let columns = reader.columns ?? []
        let names = Set(columns.map { Array($0.utf8) })
        let missing = overrides.targets.keys.filter { !names.contains($0) }
        if let missing = missing.min(by: { $0.lexicographicallyPrecedes($1) }) {
            throw SharingError(.unknownField, "map: the file has no column \(missing.excerpt).")
        }
        plan = try ColumnPlan(columns, in: entity, overrides)
    }

    private func row(_ record: CSVReader.Record) throws(SharingError) -> ImportedRow {
        let cells: CSVRow
        switch record.result {
        case .success(let row): cells = row
        case .failure(let failure): throw failure.reason.refusal
        }
        var draft = RowDraft()
        let mark: FieldValue.DecimalMark = reader.separator == .semicolon ? .comma : .point
        for (column, target) in (plan?.targets ?? []).enumerated() {
            guard let target else { continue }
            let cell = cells[column]
            try draft.take(cell.isEmpty && !cells.isQuoted(column) ? nil : cell, for: target, mark)
        }
        return try draft.finish()
    }
}

extension CSVFailure.Reason {
    /// The error message for the sender.
    fileprivate var sentence: String {
        switch self {
        case .unclosedQuote: "A quoted value isn't closed; add a quote at its end."
        case .textAfterQuote: "Text follows the quote that ends a value; double a quote inside a value."
        case .notUTF8: "The row isn't UTF-8; save the file as UTF-8."
        case .tooLong: "The row must have fewer than \(ObjectFileFormat.rowByteLimit) bytes."
        case .tooManyColumns: "The row must have at most \(ColumnPlan.columnLimit) values."
        case .wrongColumnCount(let count): "The row has \(count) values; it must have as many as the header."
        case .duplicateColumn(let name): "The column \(name.utf8.excerpt) is named twice."
        case .noHeader: "The first line must name the columns; the file is empty."
        case .invalidCoordinate: "latitude must be in -90…90 and longitude in -180…180."
        }
    }

    fileprivate var refusal: SharingError {
        let code: SharingError.Code =
            switch self {
            case .tooLong: .tooLarge
            case .tooManyColumns: .tooMany
            default: .invalidRow
            }
        return SharingError(code, sentence)
    }
}
