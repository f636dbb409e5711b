public import YonderGeodesy

/// Names an ``Object``.
public typealias ObjectID = Identifier<Object>

/// A thing of some kind, mostly a place: values in the fields that its entity has.
public struct Object: Hashable, Sendable, Identifiable {
    /// Names it among the objects of every entity.
    public let id: ObjectID

    /// What kind of thing it is.
    public let entity: EntityName

    /// When it was made.
    public let created: Timestamp

    /// When it last changed; later with every change, so that two versions never share it.
    public var updated: Timestamp

    /// What stands in its fields; one that is empty isn't here.
    public var fields: [FieldName: FieldValue]

    /// Creates an object as stored or received.
    public init(
        id: ObjectID,
        entity: EntityName,
        created: Timestamp,
        updated: Timestamp,
        fields: [FieldName: FieldValue]
    ) {
        self.id = id
        self.entity = entity
        self.created = created
        self.updated = updated
        self.fields = fields
    }

    /// How many bytes the fields may have together, as the wire has them.
    public static let byteLimit = 65_536

    /// What stands in its location field, or `nil`.
    public var location: ObjectLocation? {
        for case .location(let location) in fields.values { return location }
        return nil
    }

    /// The objects that it refers to.
    public var references: Set<ObjectID> {
        Set(
            fields.values.compactMap { value in
                guard case .reference(let id) = value else { return nil }
                return id
            }
        )
    }
}

/// An object in the form in which it is kept and sent: its fields stay bytes until somebody asks for one.
public struct ObjectRecord: Hashable, Sendable, Identifiable {
    /// Names it among the objects of every entity.
    public let id: ObjectID

    /// What kind of thing it is.
    public let entity: EntityName

    /// When it was made.
    public let created: Timestamp

    /// When it last changed.
    public let updated: Timestamp

    /// Where it is on the map, or `nil` for nowhere.
    public let coordinate: Coordinate.Rounded?

    /// Its fields as the JSON object that the wire has, by name in ASCII order.
    public let fields: [UInt8]

    /// Creates a record from what a store has.
    package init(
        id: ObjectID,
        entity: EntityName,
        created: Timestamp,
        updated: Timestamp,
        coordinate: Coordinate.Rounded?,
        fields: [UInt8]
    ) {
        self.id = id
        self.entity = entity
        self.created = created
        self.updated = updated
        self.coordinate = coordinate
        self.fields = fields
    }

    /// Creates the record of an object.
    public init(_ object: Object) {
        self.init(
            id: object.id,
            entity: object.entity,
            created: object.created,
            updated: object.updated,
            coordinate: object.location?.coordinate,
            fields: FieldValue.json(object.fields)
        )
    }
}

/// What a submission did to an object.
public struct ObjectChange: Hashable, Sendable {
    /// The object before, or `nil` if it is new.
    public let before: Object?

    /// The object now, or `nil` if it is gone; equal to `before` if there was nothing to change.
    public let after: Object?

    /// The object now as the wire has it, or `nil` if it is gone.
    public let record: ObjectRecord?

    /// Creates a change.
    public init(before: Object?, after: Object?) {
        self.init(before: before, after: after, record: after.map(ObjectRecord.init))
    }

    /// Creates a change whose object now has been written already.
    init(before: Object?, after: Object?, record: ObjectRecord?) {
        self.before = before
        self.after = after
        self.record = record
    }
}
