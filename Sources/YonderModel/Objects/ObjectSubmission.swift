public import YonderGeodesy

/// A wish to make, change or delete an object.
public struct ObjectSubmission: Hashable, Sendable {
    /// Of which entity.
    public let entity: EntityName

    /// Who wishes it.
    public let caller: ObjectCaller

    /// What is to happen.
    public let action: Action

    /// When it was received.
    public let time: Timestamp

    /// Creates a submission.
    public init(entity: EntityName, caller: ObjectCaller, action: Action, time: Timestamp) {
        self.entity = entity
        self.caller = caller
        self.action = action
        self.time = time
    }

    /// What may happen to objects.
    public enum Action: Hashable, Sendable {
        /// A new object with these values; the store names it.
        case create([FieldName: FieldValue])
        /// Other values in some fields, `nil` to empty one; the other fields stay.
        ///
        /// With `ifUpdated` it is refused unless that is when the object last changed.
        case change(ObjectID, [FieldName: FieldValue?], ifUpdated: Timestamp? = nil)
        /// The object's end; `ifUpdated` as above.
        case delete(ObjectID, ifUpdated: Timestamp? = nil)
    }

    /// The object that is to change or go; `nil` for a new one.
    public var object: ObjectID? {
        switch action {
        case .create: nil
        case .change(let id, _, _), .delete(let id, _): id
        }
    }

    /// The objects that the new values refer to: a store looks them up before it asks ``ObjectRules``.
    package var references: Set<ObjectID> {
        var found: Set<ObjectID> = []
        switch action {
        case .create(let fields):
            for case .reference(let id) in fields.values { found.insert(id) }
        case .change(_, let fields, _):
            for case .reference(let id)? in fields.values { found.insert(id) }
        case .delete: break
        }
        return found
    }
}
