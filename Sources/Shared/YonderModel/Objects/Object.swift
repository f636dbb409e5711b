public import YonderGeodesy

/// The identifier of an ``Object``.
public typealias ObjectID = Identifier<Object>

/// A record of an entity, mostly with a location: values in the fields that the entity defines.
///
/// `ObjectRules` of the server makes each new version, from the wish of a request, and `ObjectRecord.object(of:)` one of
/// stored fields; criteria and rules read single values. Creating one checks nothing. `ObjectRules` checks that each field is
/// the entity's and has its type, keeps ``updated`` rising (`Timestamp.after`), and refuses fields over ``byteLimit`` with
/// `tooLarge`. `EntityDefinition.check()` refuses a second location field, so that ``location`` can't depend on an order.
///
/// ``byteLimit`` stands in `Documentation/objects.md`; the limits of bodies and of files' rows are multiples of it.
/// A client sends back ``updated`` to change only the version that it has seen, and so no two versions may share it
/// (`ObjectRulesTests`).
///
/// The number may be raised with that page; a lower one would refuse the next change of objects that are stored.
public struct Object: Hashable, Sendable, Identifiable {
    /// The object's identifier, unique across all entities.
    public let id: ObjectID

    /// The object's entity.
    public let entity: EntityName

    /// The time of creation.
    public let created: Timestamp

    /// The time of the last change; every change makes it later, so that no two versions share it.
    public var updated: Timestamp

    /// The values by field; an empty field is absent.
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

    /// The most bytes of all fields together, in their wire form.
    public static let byteLimit = 65_536

    /// The value of the location field, or `nil` if there is none.
    public var location: ObjectLocation? {
        for case .location(let location) in fields.values { return location }
        return nil
    }

    /// The objects to which this object refers.
    public var references: Set<ObjectID> {
        Set(
            fields.values.compactMap { value in
                guard case .reference(let id) = value else { return nil }
                return id
            }
        )
    }
}

/// An object in the form in which it is stored and sent: the fields stay encoded until they are needed.
///
/// The stores read and write it, and the client reads answers and frames into it (`Object+JSON.swift`); an ``Object`` is made
/// of it where a field's value is needed. The order of ``fields`` must stay, because equal objects must have equal bytes: the
/// rules tell by them whether a change changes anything (`ObjectJSONTests`). A record that a client read has no
/// ``coordinate``, as the JSON doesn't name the location field.
public struct ObjectRecord: Hashable, Sendable, Identifiable {
    /// The object's identifier, unique across all entities.
    public let id: ObjectID

    /// The object's entity.
    public let entity: EntityName

    /// The time of creation.
    public let created: Timestamp

    /// The time of the last change.
    public let updated: Timestamp

    /// The object's position on the map, or `nil` if there is none.
    public let coordinate: Coordinate.Rounded?

    /// The fields as a JSON object in wire form, sorted by name in ASCII order.
    public let fields: [UInt8]

    /// Creates a record from stored values.
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
