import YonderGeodesy
import YonderModel

/// One record of a file, counted from 1, or why it is none.
struct FileRow: Hashable, Sendable {
    let number: Int
    let result: Result<ImportedRow, SharingError>
}

/// What a record wants an object to be.
struct ImportedRow: Hashable, Sendable {
    /// The object that it is about, as far as it says.
    enum Name: Hashable, Sendable {
        case none
        /// One that may be there or not.
        case id(ObjectID)
        /// Something that is no id of any server like this one.
        case foreign
    }

    var name = Name.none

    /// Values by field; `nil` empties one.
    var fields: [FieldName: FieldValue?] = [:]

    /// The object's id, if it can be one.
    var id: ObjectID? {
        if case .id(let id) = name { id } else { nil }
    }

    /// What is to happen: a change if the object is there, else a new object.
    func submission(
        for entity: EntityName,
        isKnown: Bool,
        by caller: ObjectCaller,
        at time: Timestamp
    ) -> ObjectSubmission {
        let action: ObjectSubmission.Action =
            if isKnown, let id {
                .change(id, fields)
            } else {
                .create(fields.compactMapValues(\.self))
            }
        return ObjectSubmission(entity: entity, caller: caller, action: action, time: time)
    }
}
