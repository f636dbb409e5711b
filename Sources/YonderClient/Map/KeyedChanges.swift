/// What turns one keyed set into another, so that what stays keeps its identity.
public struct KeyedChanges<Value: Identifiable & Equatable & Sendable>: Sendable, Equatable
where Value.ID: Sendable {
    /// What is new.
    public var added: [Value] = []

    /// What was there and is different now: to be changed in place.
    public var changed: [Value] = []

    /// The ids of what is gone.
    public var removed: [Value.ID] = []

    /// Finds the changes; their order means nothing.
    public init(from before: [Value.ID: Value], to after: [Value.ID: Value]) {
        for (id, value) in after {
            guard let old = before[id] else {
                added.append(value)
                continue
            }
            if old != value { changed.append(value) }
        }
        removed = before.keys.filter { after[$0] == nil }
    }

    /// Whether nothing is to be done.
    public var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }
}
