public import YonderGeodesy

/// A request to create, change or delete an object.
public struct ObjectSubmission: Hashable, Sendable {
    /// The object's entity.
    public let entity: EntityName

    /// The caller's rights.
    public let caller: ObjectCaller

    /// The action to take.
    public let action: Action

    /// The time at which the request was received.
    public let time: Timestamp

    /// Creates a submission.
    public init(entity: EntityName, caller: ObjectCaller, action: Action, time: Timestamp) {
        self.entity = entity
        self.caller = caller
        self.action = action
        self.time = time
    }

    /// The possible actions on objects.
    public enum Action: Hashable, Sendable {
        /// Creates an object with these values and this identifier, which is drawn before the store is called.
        ///
        /// So the same submission may be sent to a store again when its answer was lost: it makes one object.
        case create([FieldName: FieldValue], id: ObjectID = .random())
        /// Changes the values of some fields, or empties a field by `nil`; other fields stay.
        ///
        /// If `ifUpdated` is given, the change is refused unless the object's last change was at that time.
        case change(ObjectID, [FieldName: FieldValue?], ifUpdated: Timestamp? = nil)
        /// Deletes the object; `ifUpdated` as above.
        case delete(ObjectID, ifUpdated: Timestamp? = nil)
    }

    /// The object to create, change or delete.
    public var object: ObjectID {
        switch action {
        case .create(_, let id), .change(let id, _, _), .delete(let id, _): id
        }
    }

    /// The objects to which the new values refer.
    ///
    /// A store looks them up before it calls ``ObjectRules``.
    package var references: Set<ObjectID> {
        var found: Set<ObjectID> = []
        switch action {
        case .create(let fields, _):
            for case .reference(let id) in fields.values { found.insert(id) }
        case .change(_, let fields, _):
            for case .reference(let id)? in fields.values { found.insert(id) }
        case .delete: break
        }
        return found
    }
}
