public import YonderGeodesy

/// A kind of objects, as its owner defines it.
public struct EntityDefinition: Hashable, Sendable {
    /// What it is called; this never changes.
    public let name: EntityName

    /// Who reads its objects; owners alone write them.
    public var readers: EntityReaders

    /// What its objects may hold, in the order in which forms show it.
    public var fields: [Field]

    /// Creates a definition; ``check()`` says whether it is acceptable.
    public init(_ name: EntityName, readers: EntityReaders = .members, fields: [Field]) {
        self.name = name
        self.readers = readers
        self.fields = fields
    }

    /// How many fields an entity may have.
    public static let fieldLimit = 64

    /// Refuses too many fields, a name twice or one that every object has, and a second location.
    ///
    /// - Throws: ``SharingError`` with code `tooMany` or `invalidField`.
    public func check() throws(SharingError) {
        guard fields.count <= Self.fieldLimit else {
            throw SharingError(.tooMany, "An entity has at most \(Self.fieldLimit) fields.")
        }
        var names: Set<FieldName> = []
        for field in fields {
            guard names.insert(field.name).inserted else {
                throw SharingError(.invalidField, "\(field.name) stands twice among the fields.")
            }
            guard !ObjectKey.reserved.contains(field.name.description) else {
                throw SharingError(.invalidField, "Every object has \(field.name); call the field otherwise.")
            }
        }
        guard fields.count(where: { $0.type == .location }) <= 1 else {
            throw SharingError(.invalidField, "An entity has at most one location.")
        }
    }
}

/// Who reads the objects of an entity.
public enum EntityReaders: String, Hashable, Sendable, CaseIterable {
    /// Whoever asks, without an account.
    case anyone
    /// Whoever has an account.
    case members
    /// Owners alone.
    case owners
}

/// Who asks for objects, as far as that decides.
public enum ObjectCaller: Hashable, Sendable, CaseIterable {
    /// Somebody without an account.
    case anyone
    /// Somebody with an account.
    case member
    /// An owner, or the server itself.
    case owner
}

/// A kind of objects, as the store has it.
public struct Entity: Hashable, Sendable {
    /// What its owner wants it to be.
    public var definition: EntityDefinition

    /// How many objects it has.
    public var count: Int

    /// When it was defined.
    public let created: Timestamp

    /// When its definition last changed; later with every change.
    public var updated: Timestamp

    /// Creates an entity as stored or received.
    public init(_ definition: EntityDefinition, count: Int = 0, created: Timestamp, updated: Timestamp) {
        self.definition = definition
        self.count = count
        self.created = created
        self.updated = updated
    }

    /// How many objects an entity may have.
    public static let objectLimit = 10_000_000

    /// How many entities a server may have.
    public static let limit = 256

    /// What it is called.
    public var name: EntityName { definition.name }

    /// Its field of this name, or `nil`.
    public func field(_ name: FieldName) -> Field? {
        definition.fields.first { $0.name == name }
    }

    /// Its field that holds a location, or `nil`.
    public var locationField: Field? {
        definition.fields.first { $0.type == .location }
    }

    /// Whether `caller` may read it.
    public func mayBeRead(by caller: ObjectCaller) -> Bool {
        switch definition.readers {
        case .anyone: true
        case .members: caller != .anyone
        case .owners: caller == .owner
        }
    }
}
