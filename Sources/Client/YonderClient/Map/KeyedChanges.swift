/// The difference between two keyed sets, so that items in both keep their identity.
///
/// Equal items aren't listed.
///
/// `MapModel` and `MapDrawing` make one of the old and the new content, and a map view applies it: removed, moved, changed,
/// added. It can't fail, and takes time in proportion to both sets. That an item in both sets is never removed and added must
/// stay (decision 14, `MapFixtureTests`); orders may change.
public struct KeyedChanges<Value: Identifiable & Equatable & Sendable>: Sendable, Equatable
where Value.ID: Sendable {
    /// The items only in the new set.
    public var added: [Value] = []

    /// The items of which only the position differs: to be moved.
    public var moved: [Value] = []

    /// The items that differ otherwise: to be changed in place, and moved if their position differs, too.
    public var changed: [Value] = []

    /// The ids of the items only in the old set.
    public var removed: [Value.ID] = []

    /// Finds the changes, in no particular order.
    ///
    /// - Parameters:
    ///   - before: The old set.
    ///   - after: The new set.
    ///   - isMoved: Whether two unequal items differ only by position; without it, ``moved`` stays empty.
    public init(
        from before: [Value.ID: Value],
        to after: [Value.ID: Value],
        isMoved: (_ before: Value, _ after: Value) -> Bool = { _, _ in false }
    ) {
        for (id, value) in after {
            guard let old = before[id] else {
                added.append(value)
                continue
            }
            guard old != value else { continue }
            if isMoved(old, value) { moved.append(value) } else { changed.append(value) }
        }
        removed = before.keys.filter { after[$0] == nil }
    }

    /// Whether there is no change.
    public var isEmpty: Bool { added.isEmpty && moved.isEmpty && changed.isEmpty && removed.isEmpty }
}
