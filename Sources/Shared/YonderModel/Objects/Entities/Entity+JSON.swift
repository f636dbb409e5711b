import YonderGeodesy
import YonderJSON

// The JSON form of entities, on the wire and in the stores: see Documentation/objects.md. The server reads definitions from
// requests, strictly; clients read entities, and pass over what a newer server adds; both stores keep the fields as these
// bytes, so their form must stay. A refusal names the member, and nothing traps. `EntityEndpoints` reads wishes and writes
// answers, `EntityRow` and `EntityTable` of the stores keep the fields, and `ObjectsAnswer` of the client reads. A further
// member must be optional for both sides (`ObjectJSONTests`, `EntityRulesTests`, `RESTClientTests`); the words of messages
// may change.
extension EntityDefinition {
    private static let members: Set<String> = ["name", "readers", "fields"]

    /// Reads a definition and checks it.
    ///
    /// - Throws: ``SharingError`` with code `invalidJSON`, `invalidFrame`, `unknownField`, `missingField`,
    ///   `invalidField` or `tooMany`.
    public init(json bytes: [UInt8]) throws(SharingError) {
        self = try bytes.withRawBytes { bytes throws(SharingError) in
            let members = try ObjectMembers(bytes, isSent: true)
            try members.allow(Self.members)
            try members.refuseNull(Self.members)
            return try EntityDefinition(members)
        }
        try check()
    }

    fileprivate init(_ members: ObjectMembers) throws(SharingError) {
        let name: EntityName = try members.required("name") { scanner throws(JSONFault) in
            try scanner.schemaName()
        }
        let readers = try members.optional("readers") { scanner throws(JSONFault) in
            EntityReaders(rawValue: try scanner.text())
        }
        guard let fields = members["fields"] else {
            throw SharingError(.missingField, "fields is missing.")
        }
        self.init(name, readers: readers ?? .members, fields: try Self.fields(json: fields))
    }

    /// Reads the fields of a definition.
    ///
    /// - Throws: ``SharingError`` with code `invalidField`, `unknownField`, `missingField` or `tooMany`.
    package static func fields(json bytes: UnsafeRawBufferPointer) throws(SharingError) -> [Field] {
        var fields: [Field] = []
        for element in try bytes.elements(named: "fields") {
            guard fields.count < fieldLimit else {
                throw SharingError(.tooMany, "An entity has at most \(fieldLimit) fields.")
            }
            fields.append(try Field(element))
        }
        return fields
    }
}

extension Field {
    private static let members: Set<String> = ["name", "type", "entity", "required"]

    fileprivate init(_ bytes: UnsafeRawBufferPointer) throws(SharingError) {
        let members = try ObjectMembers(bytes)
        try members.allow(Self.members)
        try members.refuseNull(Self.members)
        let name: FieldName = try members.required("name") { scanner throws(JSONFault) in
            try scanner.schemaName()
        }
        let type = try members.required("type") { scanner throws(JSONFault) in try scanner.text() }
        let target: EntityName? = try members.optional("entity") { scanner throws(JSONFault) in
            try scanner.schemaName()
        }
        let isRequired = try members.optional("required") { scanner throws(JSONFault) in
            try scanner.boolean()
        }
        guard type != "reference" || target != nil else {
            throw SharingError(
                .missingField,
                "\(name): entity is missing; a reference must name the entity that it refers to."
            )
        }
        guard let type = FieldType(name: type, target: target) else {
            throw SharingError(
                .invalidField,
                "\(name): type must be \(FieldType.names); only a reference may have entity."
            )
        }
        self.init(name, type, isRequired: isRequired ?? false)
    }
}

extension Entity {
    /// Reads an entity as ``json`` writes it.
    ///
    /// Unknown members are ignored, so that a client can read a newer server's answer.
    ///
    /// - Throws: ``SharingError`` with code `invalidJSON`, `invalidFrame`, `missingField`, `invalidField` or
    ///   `unknownField`.
    public init(json bytes: [UInt8]) throws(SharingError) {
        self = try bytes.withRawBytes { bytes throws(SharingError) in
            let members = try ObjectMembers(bytes)
            let count = try members.required("count") { scanner throws(JSONFault) in
                Int(exactly: try scanner.integer())
            }
            return Entity(
                try EntityDefinition(members),
                count: count,
                created: try members.required("created") { scanner throws(JSONFault) in
                    try scanner.timestamp()
                },
                updated: try members.required("updated") { scanner throws(JSONFault) in
                    try scanner.timestamp()
                }
            )
        }
    }

    /// The entity as a JSON object.
    public var json: [UInt8] {
        var writer = JSONWriter()
        writer.entity(self)
        return writer.bytes
    }
}

extension JSONWriter {
    /// Appends an entity.
    package mutating func entity(_ entity: Entity) {
        raw("{\"name\":")
        string(entity.name.description)
        raw(",\"readers\":")
        string(entity.definition.readers.rawValue)
        raw(",\"fields\":")
        fields(entity.definition.fields)
        raw(",\"count\":")
        integer(Int64(entity.count))
        raw(",\"created\":")
        integer(entity.created.milliseconds)
        raw(",\"updated\":")
        integer(entity.updated.milliseconds)
        raw("}")
    }

    /// Appends the fields of a definition.
    package mutating func fields(_ fields: [Field]) {
        raw("[")
        for (index, field) in fields.enumerated() {
            if index > 0 { raw(",") }
            raw("{\"name\":")
            string(field.name.description)
            raw(",\"type\":")
            string(field.type.name)
            if let target = field.type.target {
                raw(",\"entity\":")
                string(target.description)
            }
            if field.isRequired { raw(",\"required\":true") }
            raw("}")
        }
        raw("]")
    }
}

extension [UInt8] {
    package func withRawBytes<Value>(
        _ body: (UnsafeRawBufferPointer) throws(SharingError) -> Value
    ) throws(SharingError) -> Value {
        try withUnsafeBufferPointer { bytes throws(SharingError) in
            try body(UnsafeRawBufferPointer(bytes))
        }
    }
}
