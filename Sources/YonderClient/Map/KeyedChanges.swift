/// What turns one keyed set into another, so that what stays keeps its identity.
///
/// What is the same isn't named.
public struct KeyedChanges<Value: Identifiable & Equatable & Sendable>: Sendable, Equatable
where Value.ID: Sendable {
    /// What is new.
    public var added: [Value] = []

    /// What was there and differs by its place alone: to be moved.
    public var moved: [Value] = []

    /// What was there and is different now: to be changed in place, and moved if it is elsewhere too.
    public var changed: [Value] = []

    /// The ids of what is gone.
    public var removed: [Value.ID] = []

    /// Finds the changes; their order means nothing.
    ///
    /// - Parameters:
    ///   - before: What was there.
    ///   - after: What is to be there.
    ///   - isMoved: Whether two that aren't equal differ by their place alone; without it nothing is ``moved``.
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

    /// Whether nothing is to be done.
    public var isEmpty: Bool { added.isEmpty && moved.isEmpty && changed.isEmpty && removed.isEmpty }
}
