import YonderGeodesy
package import YonderModel

/// The rules for creating, changing and deleting objects.
///
/// Every store calls them, so that all decide alike.
///
/// `ObjectWriter` of each store reads the ``Surroundings``, calls ``decide(_:in:_:)`` inside its transaction, and writes the
/// ``Decision``. Plain functions: the same arguments give the same decision. A refusal changes nothing, and names
/// the field where one is wrong;
/// a change to the same values is accepted, and writes nothing. Which error comes first must stay, as clients decide by
/// codes (`Documentation/objects.md`, `ObjectRulesTests`).
package enum ObjectRules {
    /// The stored data that a decision depends on.
    package struct Surroundings: Sendable {
        /// The submission's object, if the entity has it.
        package var object: Object?

        /// Whether an object of another entity has the identifier of the submission's object.
        package var isTaken: Bool

        /// The objects to which the new values refer, as far as they exist, each with its entity.
        package var targets: [ObjectID: EntityName]

        /// Whether another object refers to the one to be deleted.
        package var isReferenced: Bool

        /// Creates a value from stored data.
        package init(
            object: Object? = nil,
            isTaken: Bool = false,
            targets: [ObjectID: EntityName] = [:],
            isReferenced: Bool = false
        ) {
            self.object = object
            self.isTaken = isTaken
            self.targets = targets
            self.isReferenced = isReferenced
        }
    }

    /// The outcome: the data that a store must write.
    package struct Decision: Hashable, Sendable {
        /// The object before and after.
        package let change: ObjectChange

        /// Whether there is anything to write.
        package let isChange: Bool
    }

    /// Decides a submission.
    ///
    /// - Parameters:
    ///   - submission: The submission.
    ///   - entity: The current entity of this name, if there is one.
    ///   - surroundings: Further stored data that the decision depends on.
    /// - Returns: The data that the store must write.
    /// - Throws: ``SharingError`` with code `unknownEntity`, `notAllowed`, `unknownObject`, `objectChanged`,
    ///   `tooMany`, `nameTaken`, `unknownField`, `invalidField`, `tooLarge`, `missingField`, `unknownReference` or
    ///   `objectInUse`.
    package static func decide(
        _ submission: ObjectSubmission,
        in entity: Entity?,
        _ surroundings: Surroundings
    ) throws(SharingError) -> Decision {
        let entity = try EntityRules.writable(entity, by: submission.caller)
        switch submission.action {
        case .create(let fields, let id):
            if let made = surroundings.object { return try repeated(submission, made) }
            guard !surroundings.isTaken else { throw .objectTaken }
            guard entity.count < Entity.objectLimit else {
                throw SharingError(
                    .tooMany,
                    "\(entity.name) has \(Entity.objectLimit) objects, the most that are allowed; delete some first."
                )
            }
            let object = Object(
                id: id,
                entity: entity.name,
                created: submission.time,
                updated: submission.time,
                fields: fields
            )
            try check(fields, in: entity, surroundings.targets)
            return try decision(from: nil, to: object, in: entity)
        case .change(_, let fields, let expected):
            let object = try present(surroundings.object, ifUpdated: expected)
            return try change(object, fields, submission, entity, surroundings.targets)
        case .delete(_, let expected):
            let object = try present(surroundings.object, ifUpdated: expected)
            guard !surroundings.isReferenced else {
                throw SharingError(
                    .objectInUse,
                    "Another object refers to \(object.id); change or delete that one first."
                )
            }
            return Decision(change: ObjectChange(before: object, after: nil), isChange: true)
        }
    }

    /// The answer to the same creation once more, which is the object as it is now.
    private static func repeated(_ submission: ObjectSubmission, _ made: Object) throws(SharingError)
        -> Decision
    {
        guard made.created == submission.time else { throw .objectTaken }
        return Decision(change: ObjectChange(before: made, after: made), isChange: false)
    }

    private static func change(
        _ object: Object,
        _ fields: [FieldName: FieldValue?],
        _ submission: ObjectSubmission,
        _ entity: Entity,
        _ targets: [ObjectID: EntityName]
    ) throws(SharingError) -> Decision {
        for (name, value) in fields where value == nil { try checkKnown(name, in: entity) }
        try check(fields.compactMapValues(\.self), in: entity, targets)
        var changed = object
        for (name, value) in fields { changed.fields[name] = value }
        changed.updated = submission.time.after(object.updated)
        return try decision(from: object, to: changed, in: entity)
    }

    private static func decision(from before: Object?, to after: Object, in entity: Entity)
        throws(SharingError) -> Decision
    {
        for field in entity.definition.fields where field.isRequired && after.fields[field.name] == nil {
            throw SharingError(.missingField, "\(field.name) is missing.")
        }
        let record = ObjectRecord(after)
        guard record.fields.count <= Object.byteLimit else {
            throw SharingError(
                .tooLarge,
                "fields must have at most \(Object.byteLimit) bytes; these have \(record.fields.count)."
            )
        }
        // Unequal values differ. But Swift considers texts equal that have different bytes, so equal values
        // are compared by their bytes, too.
        if let before, before.fields == after.fields, FieldValue.json(before.fields) == record.fields {
            return Decision(change: ObjectChange(before: before, after: before), isChange: false)
        }
        return Decision(change: ObjectChange(before: before, after: after, record: record), isChange: true)
    }

    private static func present(_ object: Object?, ifUpdated expected: Timestamp?) throws(SharingError)
        -> Object
    {
        guard let object else { throw .unknownObject }
        guard expected == nil || expected == object.updated else {
            throw SharingError(
                .objectChanged,
                "updated must be \(object.updated.milliseconds): \(object.id) has changed since your version; read it again."
            )
        }
        return object
    }

    private static func checkKnown(_ name: FieldName, in entity: Entity) throws(SharingError) {
        guard entity.field(name) != nil else {
            throw entity.unknownField(name.description)
        }
    }

    private static func check(
        _ fields: [FieldName: FieldValue],
        in entity: Entity,
        _ targets: [ObjectID: EntityName]
    ) throws(SharingError) {
        for (name, _) in fields { try checkKnown(name, in: entity) }
        for field in entity.definition.fields {
            guard let value = fields[field.name] else { continue }
            try value.check(in: field)
            guard case .reference(let id) = value else { continue }
            guard targets[id] == field.type.target else {
                throw SharingError(
                    .unknownReference,
                    "\(field.name) must be the id of an existing object; there is no object \(id)."
                )
            }
        }
    }
}
