package import YonderGeodesy
package import YonderModel

/// A request to create, change or delete an object.
///
/// `ObjectEndpoints`, `FacadeEndpoints`, `ObjectImport` and the demo make one; `ObjectCatalog` passes it to the store,
/// which has it decided by ``ObjectRules`` in its transaction. A value: making one checks nothing. A repeat is decided
/// anew; there are no keys. A further action is a case here, in the rules and in both stores (`ObjectRulesTests`).
package struct ObjectSubmission: Hashable, Sendable {
    /// The object's entity.
    package let entity: EntityName

    /// The caller's rights.
    package let caller: ObjectCaller

    /// The action to take.
    package let action: Action

    /// The time at which the request was received.
    package let time: Timestamp

    /// The right by which it is made, which its transaction judges.
    package let warrant: Warrant

    /// Creates a submission; without a warrant it is the server's own.
    package init(
        entity: EntityName,
        caller: ObjectCaller,
        action: Action,
        time: Timestamp,
        under warrant: Warrant = .server
    ) {
        self.entity = entity
        self.caller = caller
        self.action = action
        self.time = time
        self.warrant = warrant
    }

    /// The possible actions on objects.
    package enum Action: Hashable, Sendable {
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
    package var object: ObjectID {
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
