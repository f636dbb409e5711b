import YonderGeodesy
import YonderModel
import YonderRules

/// One record of a file, numbered from 1, or the reason why it can't be imported.
///
/// `CSVRows` and `GeoJSONRows` make rows, `ObjectImport` submits them in the order of the file. Making one never fails:
/// a fault is in the row. That a row with an id of this entity changes the object, and any other makes one, is promised
/// in `Documentation/objects.md` (`ImportTests`).
struct FileRow: Hashable, Sendable {
    let number: Int
    let result: Result<ImportedRow, SharingError>
}

/// The object that a record describes.
struct ImportedRow: Hashable, Sendable {
    /// The identity that a record gives to its object.
    enum Name: Hashable, Sendable {
        case none
        /// An id of this server's form; the object may or may not exist.
        case id(ObjectID)
        /// Some other id, which no server like this one assigns.
        case foreign
    }

    var name = Name.none

    /// Values by field; `nil` empties a field.
    var fields: [FieldName: FieldValue?] = [:]

    /// The object's id, if the record gives one of this server's form.
    var id: ObjectID? {
        if case .id(let id) = name { id } else { nil }
    }

    /// The submission for this row: a change if the object exists, or else a new object.
    func submission(
        for entity: EntityName,
        isKnown: Bool,
        by caller: ObjectCaller,
        at time: Timestamp,
        under warrant: Warrant
    ) -> ObjectSubmission {
        let action: ObjectSubmission.Action =
            if isKnown, let id {
                .change(id, fields)
            } else {
                .create(fields.compactMapValues(\.self))
            }
        return ObjectSubmission(entity: entity, caller: caller, action: action, time: time, under: warrant)
    }
}
