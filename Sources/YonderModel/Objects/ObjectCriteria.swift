import YonderGeodesy

/// Something of an object that can be compared: what every object has, or one of its fields.
public enum ObjectKey: Hashable, Sendable, CustomStringConvertible {
    /// Its id, as a reference.
    case id
    /// When it was made, as a date.
    case created
    /// When it last changed, as a date.
    case updated
    /// A field.
    case field(FieldName)

    /// The names that no field may have.
    static let reserved: Set<String> = ["id", "created", "updated"]

    /// Reads a name as the wire has it; `nil` if it can't be one.
    public init?(_ name: String) {
        switch name {
        case "id": self = .id
        case "created": self = .created
        case "updated": self = .updated
        default:
            guard let field = FieldName(name) else { return nil }
            self = .field(field)
        }
    }

    /// The name as the wire has it.
    public var description: String {
        switch self {
        case .id: "id"
        case .created: "created"
        case .updated: "updated"
        case .field(let name): name.description
        }
    }

    /// What stands there, or `nil` if nothing does.
    public func value(in object: Object) -> FieldValue? {
        switch self {
        case .id: .reference(object.id)
        case .created: .date(object.created)
        case .updated: .date(object.updated)
        case .field(let name): object.fields[name]
        }
    }

    /// What may stand there.
    ///
    /// - Throws: ``SharingError`` with code `unknownField` if the entity has no such field.
    public func type(in entity: Entity) throws(SharingError) -> FieldType {
        switch self {
        case .id: return .reference(to: entity.name)
        case .created, .updated: return .date
        case .field(let name):
            guard let field = entity.field(name) else {
                throw SharingError(.unknownField, "\(entity.name) has no field \(name).")
            }
            return field.type
        }
    }
}

/// What one value of an object must be.
public struct ObjectCondition: Hashable, Sendable {
    /// What is compared.
    public let key: ObjectKey

    /// What it must be.
    public let test: Test

    /// Creates a condition.
    public init(_ key: ObjectKey, _ test: Test) {
        self.key = key
        self.test = test
    }

    /// What a value can be asked for.
    ///
    /// Where nothing stands, none of these is true.
    public enum Test: Hashable, Sendable {
        /// Something stands there.
        case exists
        /// It is this, to the byte.
        case equals(FieldValue)
        /// It comes before this.
        case less(FieldValue)
        /// It comes before this, or is it.
        case atMost(FieldValue)
        /// It comes behind this.
        case greater(FieldValue)
        /// It comes behind this, or is it.
        case atLeast(FieldValue)
        /// It is text that holds this, without regard to case.
        case contains(String)
        /// It is text that begins with this, without regard to case.
        case begins(with: String)
    }

    /// Whether an object meets it.
    public func matches(_ object: Object) -> Bool {
        guard let value = key.value(in: object) else { return false }
        switch test {
        case .exists: return true
        case .equals(let other): return value.order(other) == 0
        case .less(let other): return value.order(other).map { $0 < 0 } ?? false
        case .atMost(let other): return value.order(other).map { $0 <= 0 } ?? false
        case .greater(let other): return value.order(other).map { $0 > 0 } ?? false
        case .atLeast(let other): return value.order(other).map { $0 >= 0 } ?? false
        case .contains(let part): return value.folded.map { Self.contains($0, Self.fold(part)) } ?? false
        case .begins(let start): return value.folded.map { $0.starts(with: Self.fold(start)) } ?? false
        }
    }

    /// Refuses what an entity's objects can't be asked for.
    ///
    /// - Throws: ``SharingError`` with code `unknownField` or `invalidField`.
    public func check(in entity: Entity) throws(SharingError) {
        let type = try key.type(in: entity)
        let fits =
            switch test {
            case .exists: true
            case .contains, .begins: type == .text
            case .equals(let value), .less(let value), .atMost(let value), .greater(let value),
                .atLeast(let value):
                value.fits(type) && type.isOrdered
            }
        guard fits else {
            throw SharingError(.invalidField, "\(key) can't be asked for that: it holds a \(type.name).")
        }
    }

    fileprivate static func fold(_ text: String) -> [UInt8] { Array(text.lowercased().utf8) }

    private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        guard let first = part.first else { return true }
        var start = text.startIndex
        while text.count - start >= part.count {
            guard let found = text[start...].firstIndex(of: first) else { return false }
            if text[found...].starts(with: part) { return true }
            start = found + 1
        }
        return false
    }
}

extension FieldValue {
    fileprivate var folded: [UInt8]? {
        guard case .text(let text) = self else { return nil }
        return ObjectCondition.fold(text)
    }
}

/// Which objects, with operators: `.where(.field(rating), .atLeast(.number(4))) && !.where(.field(closed), .exists)`.
///
/// One ``matches(_:)`` decides in every store, in the index and in a client.
public indirect enum ObjectCriteria: Hashable, Sendable {
    /// Every object.
    case all
    /// What meets a condition.
    case condition(ObjectCondition)
    /// What doesn't match.
    case not(ObjectCriteria)
    /// What matches both.
    case both(ObjectCriteria, ObjectCriteria)
    /// What matches at least one.
    case either(ObjectCriteria, ObjectCriteria)

    /// What meets a condition.
    public static func `where`(_ key: ObjectKey, _ test: ObjectCondition.Test) -> ObjectCriteria {
        .condition(ObjectCondition(key, test))
    }

    /// What matches all of them.
    public static func all(of criteria: [ObjectCriteria]) -> ObjectCriteria {
        guard let first = criteria.first else { return .all }
        return criteria.dropFirst().reduce(first) { .both($0, $1) }
    }

    /// What matches both.
    public static func && (left: ObjectCriteria, right: ObjectCriteria) -> ObjectCriteria {
        .both(left, right)
    }

    /// What matches at least one.
    public static func || (left: ObjectCriteria, right: ObjectCriteria) -> ObjectCriteria {
        .either(left, right)
    }

    /// What doesn't match.
    public static prefix func ! (criteria: ObjectCriteria) -> ObjectCriteria { .not(criteria) }

    /// Whether an object matches.
    public func matches(_ object: Object) -> Bool {
        switch self {
        case .all: true
        case .condition(let condition): condition.matches(object)
        case .not(let criteria): !criteria.matches(object)
        case .both(let left, let right): left.matches(object) && right.matches(object)
        case .either(let left, let right): left.matches(object) || right.matches(object)
        }
    }

    /// Refuses what an entity's objects can't be asked for.
    ///
    /// - Throws: ``SharingError`` with code `unknownField` or `invalidField`.
    public func check(in entity: Entity) throws(SharingError) {
        switch self {
        case .all: return
        case .condition(let condition): try condition.check(in: entity)
        case .not(let criteria): try criteria.check(in: entity)
        case .both(let left, let right), .either(let left, let right):
            try left.check(in: entity)
            try right.check(in: entity)
        }
    }
}
