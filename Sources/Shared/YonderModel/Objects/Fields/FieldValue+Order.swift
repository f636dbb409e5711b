import YonderGeodesy

// The one order of values: filters compare by it and lists are sorted by it, in memory, in a store and in a client.
// `ObjectCriteria` and `ObjectOrder` compare by it, on the server and in a client's live regions. It can't fail: values
// without an order give `nil`, and such a filter was refused before. A client's list must have the server's order, and pages
// continue behind a value, so the order of texts must stay (`ObjectCriteriaTests`, `Documentation/objects.md`).
extension FieldValue {
    /// Compares two values: negative if this value comes first, 0 if both are equal, positive if `other`
    /// comes first.
    ///
    /// Text is compared without regard to case, and by bytes where only the case differs; `false` comes
    /// before `true`; references are compared by number.
    ///
    /// - Returns: `nil` if the values have different types, or a type without an order: JSON and locations.
    package func order(_ other: FieldValue) -> Int? {
        switch (self, other) {
        case (.text(let left), .text(let right)): Self.order(left, right)
        case (.number(let left), .number(let right)): Self.order(left, right)
        case (.date(let left), .date(let right)): Self.order(left, right)
        case (.reference(let left), .reference(let right)): Self.order(left, right)
        case (.boolean(let left), .boolean(let right)): Self.order(left ? 1 : 0, right ? 1 : 0)
        default: nil
        }
    }

    private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
        left < right ? -1 : left > right ? 1 : 0
    }

    private static func order(_ left: String, _ right: String) -> Int {
        if let order = quickOrder(left.utf8, right.utf8) { return order }
        let folded = order(left.lowercased().utf8, right.lowercased().utf8)
        return folded == 0 ? order(left.utf8, right.utf8) : folded
    }

    /// Compares two texts as long as ASCII letters decide; `nil` at the first difference in any other
    /// character.
    private static func quickOrder(_ left: String.UTF8View, _ right: String.UTF8View) -> Int? {
        var others = right.makeIterator()
        var sameLetters = 0
        for one in left {
            guard let other = others.next() else { return 1 }
            guard one != other else { continue }
            guard one | other < 0x80 else { return nil }
            let difference = Int(folded(one)) - Int(folded(other))
            guard difference == 0 else { return difference }
            if sameLetters == 0 { sameLetters = Int(one) - Int(other) }
        }
        return others.next() == nil ? sameLetters : -1
    }

    private static func folded(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    private static func order(_ left: String.UTF8View, _ right: String.UTF8View) -> Int {
        if left.lexicographicallyPrecedes(right) { return -1 }
        return right.lexicographicallyPrecedes(left) ? 1 : 0
    }
}

extension FieldType {
    /// Whether values of this type can be compared and sorted.
    public var isOrdered: Bool { self != .json && self != .location }
}
