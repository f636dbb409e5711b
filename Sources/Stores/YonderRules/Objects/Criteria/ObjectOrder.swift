package import YonderModel

/// The order in which objects are listed: by some of their values, then by id, so that no two are equal.
///
/// `ObjectService` and `FacadeQuery` read one from a request; `ObjectCatalog` checks it and sorts by it. Plain values:
/// the same objects have the same order, on every server. Where an empty value stands, and how texts compare, is
/// promised in `Documentation/objects.md`, and clients sort what arrives live by the same rules (`ObjectCriteriaTests`):
/// it must stay. ``keyLimit`` may be raised.
package struct ObjectOrder: Hashable, Sendable {
    /// One value to sort by.
    package struct Key: Hashable, Sendable {
        /// The value to sort by.
        package let key: ObjectKey

        /// Whether the greatest value comes first.
        package let isDescending: Bool

        /// Creates a key to sort by.
        package init(_ key: ObjectKey, isDescending: Bool = false) {
            self.key = key
            self.isDescending = isDescending
        }
    }

    /// The values to sort by, the most important first.
    package let keys: [Key]

    /// The most values to sort by.
    package static let keyLimit = 8

    /// Creates an order.
    package init(_ keys: [Key] = []) {
        self.keys = keys
    }

    /// Reads `rating` or `-rating,name`: names joined by commas, each with `-` in front for the greatest
    /// first.
    ///
    /// - Throws: ``SharingError`` with code `invalidField`, or the errors of ``check(in:)``.
    package init(_ text: String, in entity: Entity) throws(SharingError) {
        var keys: [Key] = []
        for part in text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let isDescending = part.first == UInt8(ascii: "-")
            guard let key = ObjectKey(String(Substring(isDescending ? part.dropFirst() : part))) else {
                throw SharingError(
                    .invalidField,
                    "sort must be field names with commas between, each with - in front for descending, as in -rating,name."
                )
            }
            keys.append(Key(key, isDescending: isDescending))
        }
        self.init(keys)
        try check(in: entity)
    }

    /// Checks that the entity has these fields, and that their values have an order.
    ///
    /// - Throws: ``SharingError`` with code `unknownField`, `invalidField` or `tooMany`.
    package func check(in entity: Entity) throws(SharingError) {
        guard keys.count <= Self.keyLimit else {
            throw SharingError(
                .tooMany,
                "sort must have at most \(Self.keyLimit) fields; it has \(keys.count)."
            )
        }
        for key in keys {
            guard try key.key.type(in: entity).isOrdered else {
                throw SharingError(
                    .invalidField,
                    "sort: \(key.key) has no order; choose a field with text, numbers, dates, true or false, or references."
                )
            }
        }
    }

    /// Whether one object is listed before another.
    ///
    /// An object without a value comes last, in ascending and descending order.
    package func isBefore(_ left: Object, _ right: Object) -> Bool {
        for key in keys {
            let order = key.order(key.key.value(in: left), key.key.value(in: right))
            if order != 0 { return order < 0 }
        }
        return left.id < right.id
    }
}

extension ObjectOrder.Key {
    fileprivate func order(_ left: FieldValue?, _ right: FieldValue?) -> Int {
        guard let left, let right else { return (left == nil ? 1 : 0) - (right == nil ? 1 : 0) }
        let order = left.order(right) ?? 0
        return isDescending ? -order : order
    }
}
