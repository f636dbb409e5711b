public import YonderGeodesy
import YonderJSON

// The JSON form of objects, on the wire and in the stores: see Documentation/objects.md. Reading and writing a whole object
// belongs here; the values of single fields are in `FieldValue`'s files, files with many objects in
// `YonderServer/ObjectFiles`.
//
// Both stores decode `ObjectRecord.fields` with `object(of:)`, the client reads answers and frames with `init(json:)`, the
// server reads requests with `ObjectWish.init(json:for:)`, and `RESTClient` writes them. Any bytes may be passed to a
// reader: it throws a `SharingError` that names the field, and never traps (`ObjectJSONTests`). The names of members and the
// form of each value must stay: databases and older clients have them. A further member must be one that older clients may
// ignore.
extension ObjectRecord {
    /// Decodes the values of the fields.
    ///
    /// - Throws: ``SharingError`` with code `unknownField` or `invalidField` if `entity` isn't the record's
    ///   entity.
    public func values(of entity: Entity) throws(SharingError) -> [FieldName: FieldValue] {
        try fields.withRawBytes { bytes throws(SharingError) in
            try entity.values(ObjectMembers(bytes)).compactMapValues(\.self)
        }
    }

    /// Decodes the whole object.
    ///
    /// - Throws: ``SharingError`` with code `unknownField` or `invalidField` if `entity` isn't the record's
    ///   entity.
    public func object(of entity: Entity) throws(SharingError) -> Object {
        Object(
            id: id,
            entity: self.entity,
            created: created,
            updated: updated,
            fields: try values(of: entity)
        )
    }

    /// Reads a record as ``json`` writes it.
    ///
    /// Unknown members are ignored, so that a client can read a newer server's answer.
    ///
    /// The JSON doesn't name the location field, so ``coordinate`` is `nil`; use ``location(in:)``.
    ///
    /// - Throws: ``SharingError`` with code `invalidJSON`, `invalidFrame`, `missingField` or `invalidField`.
    package init(json bytes: UnsafeRawBufferPointer) throws(SharingError) {
        let members = try ObjectMembers(bytes, depth: 2)
        guard let fields = members["fields"] else {
            throw SharingError(.missingField, "fields is missing.")
        }
        guard fields.first == UInt8(ascii: "{") else {
            throw SharingError(.invalidField, "fields must be an object of values by field name.")
        }
        self.init(
            id: try members.required("id") { scanner throws(JSONFault) in try scanner.identifier() },
            entity: try members.required("entity") { scanner throws(JSONFault) in try scanner.schemaName() },
            created: try members.required("created") { scanner throws(JSONFault) in try scanner.timestamp() },
            updated: try members.required("updated") { scanner throws(JSONFault) in try scanner.timestamp() },
            coordinate: nil,
            fields: [UInt8](fields)
        )
    }

    /// Decodes a location field; `nil` if the field is empty.
    ///
    /// - Throws: ``SharingError`` with code `invalidField`, `unknownField` or `missingField` if the field
    ///   doesn't hold a location.
    public func location(in field: FieldName) throws(SharingError) -> ObjectLocation? {
        try fields.withRawBytes { bytes throws(SharingError) in
            let name = field.description
            guard let value = try ObjectMembers(bytes)[name] else { return nil }
            return try ObjectLocation(value, named: name)
        }
    }

    /// The object as a JSON object.
    public var json: [UInt8] {
        var writer = JSONWriter(capacity: fields.count + 160)
        writer.record(self)
        return writer.bytes
    }
}

extension Object {
    /// The object as a JSON object.
    public var json: [UInt8] { ObjectRecord(self).json }

    /// Reads an object as ``json`` writes it.
    ///
    /// Unknown members are ignored, so that a client can read a newer server's answer.
    ///
    /// - Throws: ``SharingError`` with code `invalidJSON`, `invalidFrame`, `missingField`, `invalidField` or
    ///   `unknownField`.
    public init(json bytes: [UInt8], of entity: Entity) throws(SharingError) {
        self = try bytes.withRawBytes { bytes throws(SharingError) in
            let members = try ObjectMembers(bytes, depth: 2)
            let name: EntityName = try members.required("entity") { scanner throws(JSONFault) in
                try scanner.schemaName()
            }
            guard name == entity.name else {
                throw SharingError(.invalidField, "entity must be \(entity.name); it is \(name).")
            }
            guard let fields = members["fields"] else {
                throw SharingError(.missingField, "fields is missing.")
            }
            return Object(
                id: try members.required("id") { scanner throws(JSONFault) in try scanner.identifier() },
                entity: name,
                created: try members.required("created") { scanner throws(JSONFault) in
                    try scanner.timestamp()
                },
                updated: try members.required("updated") { scanner throws(JSONFault) in
                    try scanner.timestamp()
                },
                fields: try entity.values(ObjectMembers(fields)).compactMapValues(\.self)
            )
        }
    }
}

/// A caller's request to create or change an object: the body of `POST` and `PUT` on `/v1/objects`.
///
/// The same value on both ends: `RESTClient` writes it, `ObjectEndpoints` reads it. What it may change is decided by
/// `ObjectRules`, later, in the store.
public struct ObjectWish: Hashable, Sendable {
    /// The new values; `nil` empties a field.
    public var fields: [FieldName: FieldValue?]

    /// The version on which the change is based, as the object's time of its last change, or `nil` to change any version.
    public var updated: Timestamp?

    /// Creates a request.
    public init(fields: [FieldName: FieldValue?], updated: Timestamp? = nil) {
        self.fields = fields
        self.updated = updated
    }

    /// The members of the body that are accepted.
    private static let members: Set<String> = ["fields", "updated"]

    /// The most bytes of a request: every value of the largest object, and white space.
    public static let byteLimit = 2 * Object.byteLimit

    /// Reads a request for an object of `entity`.
    ///
    /// - Throws: ``SharingError`` with code `tooLarge`, `invalidJSON`, `invalidFrame`, `unknownField`,
    ///   `missingField` or `invalidField`.
    public init(json bytes: [UInt8], for entity: Entity) throws(SharingError) {
        guard bytes.count <= Self.byteLimit else {
            throw SharingError(
                .tooLarge,
                "The body must have at most \(Self.byteLimit) bytes; it has \(bytes.count)."
            )
        }
        self = try bytes.withRawBytes { bytes throws(SharingError) in
            let members = try ObjectMembers(bytes, depth: 2, isSent: true)
            try members.allow(Self.members)
            try members.refuseNull(Self.members)
            guard let fields = members["fields"] else {
                throw SharingError(.missingField, "fields is missing.")
            }
            guard fields.first == UInt8(ascii: "{") else {
                throw SharingError(.invalidField, "fields must be an object of values by field name.")
            }
            let updated = try members.optional("updated") { scanner throws(JSONFault) in
                try scanner.timestamp()
            }
            return ObjectWish(fields: try entity.values(ObjectMembers(fields)), updated: updated)
        }
    }

    /// The request as a JSON object.
    public var json: [UInt8] {
        var writer = JSONWriter()
        writer.raw("{\"fields\":{")
        for (index, field) in fields.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { writer.raw(",") }
            writer.string(field.key.description)
            writer.raw(":")
            if let value = field.value { writer.fieldValue(value) } else { writer.raw("null") }
        }
        writer.raw("}")
        if let updated {
            writer.raw(",\"updated\":")
            writer.integer(updated.milliseconds)
        }
        writer.raw("}")
        return writer.bytes
    }

    /// The values for a new object: those that aren't `nil`.
    public var values: [FieldName: FieldValue] { fields.compactMapValues(\.self) }
}

extension Entity {
    /// Reads values by field name; `null` becomes `nil`.
    ///
    /// - Throws: ``SharingError`` with code `unknownField`, `missingField` or `invalidField`.
    fileprivate func values(_ members: ObjectMembers) throws(SharingError) -> [FieldName: FieldValue?] {
        var values: [FieldName: FieldValue?] = [:]
        for member in members.list {
            guard let name = FieldName(member.name), let field = field(name) else {
                throw unknownField(member.name)
            }
            values.updateValue(
                member.value.isNull ? nil : try FieldValue(member.value, in: field),
                forKey: name
            )
        }
        return values
    }
}

extension JSONWriter {
    /// Appends an object.
    package mutating func record(_ record: ObjectRecord) {
        raw("{\"id\":")
        identifier(record.id)
        // A name contains no character that would have to be escaped.
        raw(",\"entity\":\"")
        raw(record.entity.description.utf8)
        raw("\",\"created\":")
        integer(record.created.milliseconds)
        raw(",\"updated\":")
        integer(record.updated.milliseconds)
        raw(",\"fields\":")
        raw(record.fields)
        raw("}")
    }
}
