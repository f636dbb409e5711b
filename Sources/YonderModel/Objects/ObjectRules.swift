import YonderGeodesy

/// What may happen to objects, decided over what is there: every store asks here, so that all decide alike.
public enum ObjectRules {
    /// What a store knows of the objects that a submission is about.
    public struct Surroundings: Sendable {
        /// The name of a new object.
        public var newID: ObjectID

        /// The object that is to change or go, if the entity has it.
        public var object: Object?

        /// Of the objects that the new values refer to those that are there, each with its entity.
        public var targets: [ObjectID: EntityName]

        /// Whether an object other than itself refers to the one that is to go.
        public var isReferenced: Bool

        /// Gathers what a store knows.
        public init(
            newID: ObjectID,
            object: Object? = nil,
            targets: [ObjectID: EntityName] = [:],
            isReferenced: Bool = false
        ) {
            self.newID = newID
            self.object = object
            self.targets = targets
            self.isReferenced = isReferenced
        }
    }

    /// What a store has to write.
    public struct Decision: Hashable, Sendable {
        /// The object before and after.
        public let change: ObjectChange

        /// Whether anything is to be written at all.
        public let isChange: Bool
    }

    /// Decides a submission.
    ///
    /// - Parameters:
    ///   - submission: What is to happen.
    ///   - entity: The entity as it is, if there is one of this name.
    ///   - surroundings: What else the store knows.
    /// - Returns: What the store has to write.
    /// - Throws: ``SharingError`` with code `unknownEntity`, `notAllowed`, `unknownObject`, `objectChanged`, `tooMany`,
    ///   `unknownField`, `invalidField`, `tooLarge`, `missingField`, `unknownReference` or `objectInUse`.
    public static func decide(
        _ submission: ObjectSubmission,
        in entity: Entity?,
        _ surroundings: Surroundings
    ) throws(SharingError) -> Decision {
        let entity = try EntityRules.writable(entity, by: submission.caller)
        switch submission.action {
        case .create(let fields):
            guard entity.count < Entity.objectLimit else {
                throw SharingError(.tooMany, "An entity has at most \(Entity.objectLimit) objects.")
            }
            let object = Object(
                id: surroundings.newID,
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
                throw SharingError(.objectInUse, "Another object refers to \(object.id).")
            }
            return Decision(change: ObjectChange(before: object, after: nil), isChange: true)
        }
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
            throw SharingError(.tooLarge, "An object's fields have at most \(Object.byteLimit) bytes.")
        }
        // What is unequal differs, but two texts may be equal to Swift and yet not the same: then their bytes tell.
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
            throw SharingError(.objectChanged, "\(object.id) has changed since.")
        }
        return object
    }

    private static func checkKnown(_ name: FieldName, in entity: Entity) throws(SharingError) {
        guard entity.field(name) != nil else {
            throw SharingError(.unknownField, "\(entity.name) has no field \(name).")
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
                throw SharingError(.unknownReference, "\(field.name): there is no such object.")
            }
        }
    }
}
