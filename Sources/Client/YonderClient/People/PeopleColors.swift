public import YonderModel
public import YonderWire

/// The colors of people who are seen together, each told apart from those before.
///
/// Each person has the hue of the account. The later of two people whose hues are closer than 20°, or alike under
/// deuteranopia, gets the next hue that is free in this view. With too many people for that 20° are enough, and at last they
/// keep their own hues; a person's initials and the outline of the pin tell them apart then.
///
/// `NamedChat.colors` and `PersonColor.inView(_:)` make one for each view of a chat or a list, and add people in the
/// participants' order. It can't fail. Numbers and order must be the page's (`Web`), so that a person has one color
/// everywhere: `PersonColorTests` and the page's tests read one fixture (`Tests/Fixtures/colors`).
struct PeopleColors {
    /// Hues nearer to each other than this are taken for one.
    private static let apart = 20
    /// By how many degrees a hue is turned until it is free.
    private static let turn = 10

    private var taken: [PersonColor] = []

    /// Gives the next person a color.
    mutating func add(id: String, hue: Int?) -> PersonColor {
        let color = free(PersonColor(id: id, hue: hue))
        if !taken.contains(color) { taken.append(color) }
        return color
    }

    private func free(_ wanted: PersonColor) -> PersonColor {
        if isApart(wanted), isUnlike(wanted) { return wanted }
        let turned = stride(from: 0, to: 360, by: Self.turn).map { (wanted.hue + $0) % 360 }
        let free = turned.filter(Hue.given.contains).map(PersonColor.init(hue:)).filter(isApart)
        return free.first(where: isUnlike) ?? free.first ?? wanted
    }

    private func isApart(_ color: PersonColor) -> Bool {
        taken.allSatisfy { Hue.distance($0.hue, color.hue) >= Self.apart }
    }

    private func isUnlike(_ color: PersonColor) -> Bool {
        taken.allSatisfy { !color.looksLike($0) }
    }
}

extension NamedChat {
    /// The colors of the chat's participants, as the page draws them in this chat.
    public var colors: [UserID: PersonColor] {
        PersonColor.inView(chat.participants.lazy.map { (id: $0.user, hue: users[$0.user]?.hue) })
    }
}

extension PersonColor {
    /// The colors of users who are seen together, in an order that stays: the later of two whose hues are closer than 20°, or
    /// alike under deuteranopia, gets the next free hue.
    public static func inView(_ users: some Sequence<User>) -> [UserID: PersonColor] {
        inView(users.lazy.map { (id: $0.id, hue: $0.hue) })
    }

    fileprivate static func inView(_ people: some Sequence<(id: UserID, hue: Int?)>) -> [UserID: PersonColor]
    {
        var colors = PeopleColors()
        var found: [UserID: PersonColor] = [:]
        for (id, hue) in people where found[id] == nil {
            found[id] = colors.add(id: id.description, hue: hue)
        }
        return found
    }

    /// Whether a viewer with deuteranopia can hardly tell the two colors apart.
    fileprivate func looksLike(_ other: PersonColor) -> Bool {
        Shade.areAlike(shade, other.shade)
    }
}
