import YonderJSON
import YonderModel
import YonderTracks

/// Reads objects from a GeoJSON file.
///
/// The features may have different properties, so the columns are assigned for each feature.
///
/// `ObjectImport` makes one for a file, passes it the bytes as they come, and gets rows; a feature with a fault is a row
/// with a refusal, and the import goes on, a fault of the grammar ends it. No bytes trap. The most bytes of a feature
/// and properties may be changed; which properties become which fields is decided in ``ColumnPlan`` and promised in
/// `Documentation/objects.md` (`ColumnPlanTests`).
struct GeoJSONRows: ObjectRows {
    private(set) var columns: [ImportColumn] = []

    private let entity: Entity
    private let overrides: ColumnOverrides
    private var reader = GeoJSONReader(featureLength: ObjectFileFormat.rowByteLimit)
    private var seen: Set<[UInt8]> = []
    private var count = 0

    /// The properties and assignment of the previous feature: most features have the same properties.
    private var lastKeys: [String] = []
    private var lastPlan: ColumnPlan?

    init(_ entity: Entity, _ overrides: ColumnOverrides) {
        self.entity = entity
        self.overrides = overrides
    }

    mutating func read(_ bytes: [UInt8]) throws(SharingError) -> [FileRow] {
        try rows(reader.read(bytes))
    }

    mutating func finish(isPartial: Bool) throws(SharingError) -> [FileRow] {
        isPartial && count > 0 ? [] : try rows(reader.finish())
    }

    private mutating func rows(_ records: [GeoJSONReader.Record]) throws(SharingError) -> [FileRow] {
        var rows: [FileRow] = []
        rows.reserveCapacity(records.count)
        for record in records {
            if count == 0, let failure = record.failure, failure.reason == .notGeoJSON {
                throw SharingError(
                    .invalidFile,
                    "The file must be a GeoJSON FeatureCollection, or one Feature a line."
                )
            }
            count += 1
            do throws(SharingError) {
                rows.append(FileRow(number: count, result: .success(try row(record))))
            } catch {
                rows.append(FileRow(number: count, result: .failure(error)))
            }
        }
        return rows
    }

    private mutating func row(_ record: GeoJSONReader.Record) throws(SharingError) -> ImportedRow {
        let feature: GeoJSONFeature
        switch record.result {
        case .success(let read): feature = read
        case .failure(let failure): throw failure.reason.refusal
        }
        var draft = RowDraft()
        if let location = entity.locationField { try draft.take(feature.geometry, of: location) }
        let members = feature.properties.members
        let plan = try plan(for: members.map(\.key))
        for (member, target) in zip(members, plan.targets) {
            guard let target, target != .id || feature.id == nil else { continue }
            try draft.take(json: member.json, for: target)
        }
        if feature.id != nil { note("id", targetOfIDs) }
        if let id = feature.id, let target = targetOfIDs { try draft.take(json: id.json, for: target) }
        return try draft.finish()
    }

    private mutating func plan(for keys: [String]) throws(SharingError) -> ColumnPlan {
        if let lastPlan, keys.elementsEqual(lastKeys, by: { $0.utf8.elementsEqual($1.utf8) }) {
            return lastPlan
        }
        guard keys.count <= ColumnPlan.columnLimit else {
            throw SharingError(.tooMany, "properties must have at most \(ColumnPlan.columnLimit) members.")
        }
        let plan = try ColumnPlan(keys, in: entity, overrides)
        for (key, target) in zip(keys, plan.targets) { note(key, target) }
        (lastKeys, lastPlan) = (keys, plan)
        return plan
    }

    /// The target of the features' own ids.
    private var targetOfIDs: ColumnTarget? { overrides.targets[Array("id".utf8)] ?? .some(.id) }

    /// Adds a column to the list, unless it is already there.
    private mutating func note(_ name: String, _ target: ColumnTarget?) {
        guard columns.count < ColumnPlan.columnLimit, seen.insert(Array(name.utf8)).inserted else { return }
        columns.append(ImportColumn(name: name, target: target))
    }
}

extension GeoJSONFailure.Reason {
    /// The error message for a feature, for the sender.
    fileprivate var refusal: SharingError {
        switch self {
        case .notJSON: SharingError(.invalidRow, "The feature must be JSON.")
        case .notUTF8: SharingError(.invalidRow, "The feature must be UTF-8; save the file as UTF-8.")
        case .halfPair:
            SharingError(
                .invalidRow,
                "The feature must not have half a surrogate pair, which is no character."
            )
        case .truncated:
            SharingError(
                .invalidRow,
                "The feature must end with the brace that closes it; the file ends earlier."
            )
        case .tooLong:
            SharingError(
                .tooLarge,
                "The feature must have fewer than \(ObjectFileFormat.rowByteLimit) bytes."
            )
        case .tooDeep: SharingError(.invalidJSON, "properties must be nested at most 32 deep.")
        case .duplicateKey: SharingError(.invalidJSON, "The feature must have each key once.")
        case .notGeoJSON, .notFeature: SharingError(.invalidRow, "type must be Feature.")
        case .unsupportedGeometry(let name):
            SharingError(.invalidField, "geometry must be a Point; it is a \(name.utf8.excerpt).")
        case .invalidGeometry:
            SharingError(.invalidField, "geometry must be a Point with coordinates, or null.")
        case .invalidCoordinate:
            SharingError(
                .invalidField,
                "coordinates must be a longitude in -180…180, then a latitude in -90…90."
            )
        case .invalidProperties: SharingError(.invalidField, "properties must be an object or null.")
        case .invalidIdentifier: SharingError(.invalidField, "id must be a string or a number.")
        }
    }
}
