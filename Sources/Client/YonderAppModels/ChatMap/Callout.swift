public import YonderClient

/// What stands beside the selected pin of a person.
///
/// `ChatMapModel` makes one for the selected pin at each change and each tick; a view shows it (`CalloutTests`).
public struct Callout: Hashable, Sendable, Identifiable {
    /// The pin's or stop's id on the map.
    public let id: String

    /// The person's name, *(you)* behind the person's own.
    public let name: String

    /// The e-mail address; empty if there is none.
    public let email: String

    /// When the person was at the pin: *3 min ago (14:02)*.
    public let time: String

    /// How the person stands now; empty beside a stop, which is of earlier.
    public let state: String

    /// Whether the map follows the person.
    public let isFollowed: Bool

    /// The button's text: *Follow*, or *Stop following*.
    public let follow: String

    /// The same as the callout of a map view of `YonderMap`; its button follows the person.
    public var onMap: MapCallout {
        MapCallout(id: id, title: name, lines: [email, time, state], button: follow)
    }
}
