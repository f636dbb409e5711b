public import YonderModel
public import YonderWire

// A person has the color of the account's hue in every view and for every viewer, as on the page; initials and the pin's outline
// tell apart two people whose hues are near.
extension NamedChat {
    /// The colors of the chat's participants.
    public var colors: [UserID: PersonColor] {
        Dictionary(
            chat.participants.lazy.map {
                ($0.user, PersonColor(id: $0.user.description, hue: users[$0.user]?.hue))
            },
            uniquingKeysWith: { first, _ in first }
        )
    }
}

extension PersonColor {
    /// The colors of users who are seen together.
    public static func inView(_ users: some Sequence<User>) -> [UserID: PersonColor] {
        Dictionary(users.lazy.map { ($0.id, PersonColor(of: $0)) }, uniquingKeysWith: { first, _ in first })
    }
}
