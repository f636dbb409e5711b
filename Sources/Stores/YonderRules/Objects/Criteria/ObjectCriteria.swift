import YonderGeodesy
package import YonderModel

/// A value of an object that can be compared or sorted by: a property of every object, or a field.
package enum ObjectKey: Hashable, Sendable, CustomStringConvertible {
    /// The object's id, as a reference.
    case id
    /// The time of creation, as a date.
    case created
    /// The time of the last change, as a date.
    case updated
    /// A field.
    case field(FieldName)

    /// Reads a name in its wire form; `nil` if the text isn't a valid name.
    package init?(_ name: String) {
        switch name {
        case "id": self = .id
        case "created": self = .created
        case "updated": self = .updated
        default:
            guard let field = FieldName(name) else { return nil }
            self = .field(field)
        }
    }

    /// The name in its wire form.
    package var description: String {
        switch self {
        case .id: "id"
        case .created: "created"
        case .updated: "updated"
        case .field(let name): name.description
        }
    }

    /// Returns the value of this key in an object, or `nil` if the field is empty.
    package func value(in object: Object) -> FieldValue? {
        switch self {
        case .id: .reference(object.id)
        case .created: .date(object.created)
        case .updated: .date(object.updated)
        case .field(let name): object.fields[name]
        }
    }

    /// Returns the type of this key's values.
    ///
    /// - Throws: ``SharingError`` with code `unknownField` if the entity has no such field.
    package func type(in entity: Entity) throws(SharingError) -> FieldType {
        switch self {
        case .id: return .reference(to: entity.name)
        case .created, .updated: return .date
        case .field(let name):
            guard let field = entity.field(name) else {
                throw entity.unknownField(name.description)
            }
            return field.type
        }
    }
}

/// A condition on one value of an object: a leaf of ``ObjectCriteria``.
package struct ObjectCondition: Hashable, Sendable {
    /// The value that is tested.
    package let key: ObjectKey

    /// The test that the value must pass.
    package let test: Test

    /// Creates a condition.
    package init(_ key: ObjectKey, _ test: Test) {
        self.key = key
        self.test = test
    }

    /// The tests for a value.
    ///
    /// An empty field passes none of them.
    package enum Test: Hashable, Sendable {
        /// The field has a value.
        case exists
        /// The value equals this one exactly.
        case equals(FieldValue)
        /// The value comes before this one.
        case less(FieldValue)
        /// The value comes before this one or equals it.
        case atMost(FieldValue)
        /// The value comes after this one.
        case greater(FieldValue)
        /// The value comes after this one or equals it.
        case atLeast(FieldValue)
        /// The value is text that contains this, without regard to case.
        case contains(String)
        /// The value is text that begins with this, without regard to case.
        case begins(with: String)
    }

    /// Whether an object meets the condition.
    package func matches(_ object: Object) -> Bool {
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

    /// Checks that the condition suits the entity's field types.
    ///
    /// - Throws: ``SharingError`` with code `unknownField` or `invalidField`.
    package func check(in entity: Entity) throws(SharingError) {
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
            throw SharingError(
                .invalidField,
                "where: \(key) must be \(type.values); use an operator for that type."
            )
        }
    }

    /// The bytes of a text in small letters, by which two texts are compared.
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
    /// The bytes of a text in small letters; `nil` for a value that is no text.
    fileprivate var folded: [UInt8]? {
        guard case .text(let text) = self else { return nil }
        return ObjectCondition.fold(text)
    }
}

/// A filter for objects; the operators `&&`, `||` and `!` combine filters.
///
/// An example is `.where(.field(rating), .atLeast(.number(4))) && !.where(.field(closed), .exists)`.
///
/// `ObjectService` makes criteria from REST's `where` and `FacadeQuery` from the older places API, each once a request; an
/// `ObjectQuery` or a listing carries them. ``matches(_:)`` then decides for each object looked at, in both stores and in
/// `ObjectCatalog`, so that all answer alike. Call ``check(in:)`` first for criteria that weren't read from text: it throws
/// for an unknown field and for a test that doesn't suit a field. Matching never fails; a condition that doesn't suit the
/// field matches no object.
///
/// A further test needs a case in ``ObjectCondition/Test``, an operator in `ObjectCondition+Text.swift`, and its field in
/// `ObjectRecord+Glance.swift`. The text form must stay (`Documentation/objects.md`), and so must the order of values, by
/// which lists are sorted, too (`ObjectCriteriaTests`).
package indirect enum ObjectCriteria: Hashable, Sendable {
    /// Every object.
    case all
    /// Objects that meet a condition.
    case condition(ObjectCondition)
    /// Objects that don't match the criteria.
    case not(ObjectCriteria)
    /// Objects that match both criteria.
    case both(ObjectCriteria, ObjectCriteria)
    /// Objects that match at least one of the criteria.
    case either(ObjectCriteria, ObjectCriteria)

    /// Objects that meet a condition.
    package static func `where`(_ key: ObjectKey, _ test: ObjectCondition.Test) -> ObjectCriteria {
        .condition(ObjectCondition(key, test))
    }

    /// Objects that match all of the criteria; every object if there are none.
    package static func all(of criteria: [ObjectCriteria]) -> ObjectCriteria {
        guard let first = criteria.first else { return .all }
        return criteria.dropFirst().reduce(first) { .both($0, $1) }
    }

    /// Objects that match both criteria.
    package static func && (left: ObjectCriteria, right: ObjectCriteria) -> ObjectCriteria {
        .both(left, right)
    }

    /// Objects that match at least one of the criteria.
    package static func || (left: ObjectCriteria, right: ObjectCriteria) -> ObjectCriteria {
        .either(left, right)
    }

    /// Objects that don't match the criteria.
    package static prefix func ! (criteria: ObjectCriteria) -> ObjectCriteria { .not(criteria) }

    /// Whether an object matches.
    package func matches(_ object: Object) -> Bool {
        switch self {
        case .all: true
        case .condition(let condition): condition.matches(object)
        case .not(let criteria): !criteria.matches(object)
        case .both(let left, let right): left.matches(object) && right.matches(object)
        case .either(let left, let right): left.matches(object) || right.matches(object)
        }
    }

    /// Checks that every condition suits the entity's field types.
    ///
    /// - Throws: ``SharingError`` with code `unknownField` or `invalidField`.
    package func check(in entity: Entity) throws(SharingError) {
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
