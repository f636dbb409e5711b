public import YonderModel

/// A participant in the list beside a chat's map.
///
/// `ChatMapModel` makes one for each participant at each change and each tick, and a view shows it (`ChatMapModelTests`).
public struct PersonRow: Hashable, Sendable, Identifiable {
    /// The person.
    public let id: UserID

    /// The name, *(you)* behind the person's own.
    public let name: String

    /// How the person stands, or that they never shared a position here.
    public let state: String

    /// Whether the person is on the map.
    public let isOnMap: Bool

    /// Whether the person's pin, or one of their stops, is selected.
    public let isSelected: Bool

    /// The person's picture or letters; `nil` while the name isn't known.
    public let face: Face?
}
