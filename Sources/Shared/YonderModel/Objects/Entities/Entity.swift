public import YonderGeodesy

/// A type of object, as an owner defines it.
///
/// `EntityEndpoints` reads one from a request; `EntityRules` calls ``check()`` and decides on changes; both stores keep it,
/// and `ObjectCatalog` has all in memory. Objects are checked against it by `ObjectRules`. A stored word that this version
/// doesn't know is kept in `unknownReaders`, and counts as the readers that are fewest.
///
/// Raw values and limits stand in `Documentation/objects.md`; limits may be raised with it, words must stay, as databases
/// have them (`EntityRulesTests`, `WordRule`).
public struct EntityDefinition: Hashable, Sendable {
    /// The entity's name; it never changes.
    public let name: EntityName

    /// The callers who may read the objects; only owners may write them.
    public var readers: EntityReaders {
        didSet { unknownReaders = nil }
    }

    /// The stored word for ``readers`` if this version doesn't know it, or `nil`; assigning ``readers`` removes the word.
    package var unknownReaders: String?

    /// The fields that objects may have, in the order in which forms show them.
    public var fields: [Field]

    /// Creates a definition; ``check()`` decides whether it is valid.
    public init(_ name: EntityName, readers: EntityReaders = .members, fields: [Field]) {
        self.name = name
        self.readers = readers
        self.fields = fields
    }

    /// The most fields of an entity.
    public static let fieldLimit = 64

    /// Checks the definition: not too many fields, no duplicate or reserved name, at most one location field.
    ///
    /// - Throws: ``SharingError`` with code `tooMany` or `invalidField`.
    public func check() throws(SharingError) {
        guard fields.count <= Self.fieldLimit else {
            throw SharingError(
                .tooMany,
                "fields must have at most \(Self.fieldLimit) fields; it has \(fields.count)."
            )
        }
        var names: Set<FieldName> = []
        for field in fields {
            guard names.insert(field.name).inserted else {
                throw SharingError(
                    .invalidField,
                    "\(field.name) is used twice; each field must have a name of its own."
                )
            }
            guard !FieldName.reserved.contains(field.name.description) else {
                throw SharingError(
                    .invalidField,
                    "fields: the name \(field.name) is reserved; choose another name for the field."
                )
            }
        }
        guard fields.count(where: { $0.type == .location }) <= 1 else {
            throw SharingError(.invalidField, "fields must have at most one location.")
        }
    }
}

/// The callers who may read the objects of an entity.
public enum EntityReaders: String, Hashable, Sendable, CaseIterable {
    /// Every caller, signed in or not.
    case anyone
    /// Every caller with an account.
    case members
    /// Only owners.
    case owners
}

/// The caller's kind of account, which decides access to objects.
public enum ObjectCaller: Hashable, Sendable, CaseIterable {
    /// A caller without an account.
    case anyone
    /// A caller with an account.
    case member
    /// An owner, or the server itself.
    case owner
}

/// A type of object, as the store holds it.
public struct Entity: Hashable, Sendable {
    /// The owner's definition.
    public var definition: EntityDefinition

    /// The number of objects.
    public var count: Int

    /// The time of creation.
    public let created: Timestamp

    /// The time of the last change of the definition; every change makes it later.
    public var updated: Timestamp

    /// Creates an entity as stored or received.
    public init(_ definition: EntityDefinition, count: Int = 0, created: Timestamp, updated: Timestamp) {
        self.definition = definition
        self.count = count
        self.created = created
        self.updated = updated
    }

    /// The most objects of an entity.
    public static let objectLimit = 10_000_000

    /// The most entities of a server.
    public static let limit = 256

    /// The entity's name.
    public var name: EntityName { definition.name }

    /// Returns the field of this name, or `nil`.
    public func field(_ name: FieldName) -> Field? {
        definition.fields.first { $0.name == name }
    }

    /// A refusal with code `unknownField` that lists the entity's fields, the first twenty of them.
    ///
    /// - Parameters:
    ///   - name: The name that was sent, of which the message has 64 characters.
    ///   - member: The member or parameter that held the name.
    /// - Returns: The refusal.
    package func unknownField(_ name: String, in member: String = "fields") -> SharingError {
        let known = definition.fields.prefix(20).map(\.name.description).joined(separator: ", ")
        let more = definition.fields.count > 20 ? ", …" : ""
        return SharingError(
            .unknownField,
            "\(member): \(self.name) has no field \(name.prefix(64)); allowed are \(known)\(more)."
        )
    }

    /// The field that holds a location, or `nil` if there is none.
    public var locationField: Field? {
        definition.fields.first { $0.type == .location }
    }

    /// Whether `caller` may read the entity and its objects.
    public func mayBeRead(by caller: ObjectCaller) -> Bool {
        switch definition.readers {
        case .anyone: true
        case .members: caller != .anyone
        case .owners: caller == .owner
        }
    }
}
