/// How an item of a map is drawn.
enum MapKind: String, Hashable, Sendable, CaseIterable {
    /// A balloon with a person's initials.
    case person
    /// A dot on a person's line.
    case stop
    /// A balloon with the first letter of an object's entity.
    case object
}
