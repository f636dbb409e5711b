public import YonderModel

/// A contact to choose.
///
/// `ContactsModel` makes one for each contact that is found, and a view shows it (`ContactsModelTests`).
public struct ContactRow: Hashable, Sendable, Identifiable {
    /// The contact.
    public let id: UserID

    /// The name.
    public let name: String

    /// The e-mail address; empty if there is none.
    public let email: String

    /// Whether the contact is chosen.
    public let isChosen: Bool

    /// The contact's picture or letters.
    public let face: Face
}
