public import YonderClient
public import YonderModel

/// A person as a circle with letters or a picture.
///
/// The models make one of each person that a list shows; a view draws it. Letters and color must be the page's
/// (`PersonColorTests`).
public struct Face: Hashable, Sendable, Identifiable {
    /// The person.
    public let id: UserID

    /// The person's name, for a voice.
    public let name: String

    /// One or two letters that stand for a person without a picture.
    public let initials: String

    /// The hue in which the person is drawn, in degrees, or `nil` before the first contact.
    public let hue: Int?

    /// The color in which the person is drawn alone, as in a list; white reads on it.
    public let color: PersonColor

    /// The picture's address or path, or `nil`.
    public let picture: String?

    init(_ user: User) {
        (id, name, hue, picture) = (user.id, user.name, user.hue, user.avatar)
        color = PersonColor(of: user)
        initials = user.name.initials
    }
}
