/// In which order objects are listed: by some of their values, then by id, so that no two share a place.
public struct ObjectOrder: Hashable, Sendable {
    /// One value to sort by.
    public struct Key: Hashable, Sendable {
        /// Which value.
        public let key: ObjectKey

        /// Whether the greatest comes first.
        public let isDescending: Bool

        /// Creates a key to sort by.
        public init(_ key: ObjectKey, isDescending: Bool = false) {
            self.key = key
            self.isDescending = isDescending
        }
    }

    /// What to sort by, the most important first.
    public let keys: [Key]

    /// How many values objects may be sorted by.
    public static let keyLimit = 8

    /// Creates an order.
    public init(_ keys: [Key] = []) {
        self.keys = keys
    }

    /// Reads `rating` or `-rating,name` as the wire has it: names joined by commas, `-` for the greatest first.
    ///
    /// - Throws: ``SharingError`` with code `invalidField`, or those of ``check(in:)``.
    public init(_ text: String, in entity: Entity) throws(SharingError) {
        var keys: [Key] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let isDescending = part.first == "-"
            guard let key = ObjectKey(String(isDescending ? part.dropFirst() : part)) else {
                throw SharingError(.invalidField, "sort is a list of fields.")
            }
            keys.append(Key(key, isDescending: isDescending))
        }
        self.init(keys)
        try check(in: entity)
    }

    /// Refuses what an entity's objects can't be sorted by.
    ///
    /// - Throws: ``SharingError`` with code `unknownField`, `invalidField` or `tooMany`.
    public func check(in entity: Entity) throws(SharingError) {
        guard keys.count <= Self.keyLimit else {
            throw SharingError(.tooMany, "Objects are sorted by at most \(Self.keyLimit) fields.")
        }
        for key in keys {
            guard try key.key.type(in: entity).isOrdered else {
                throw SharingError(.invalidField, "\(key.key) has no order.")
            }
        }
    }

    /// Whether one object is listed before another.
    ///
    /// What has no value comes last, whichever way values are sorted.
    public func isBefore(_ left: Object, _ right: Object) -> Bool {
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
