import YonderGeodesy
import YonderModel

/// A person of the demo: their name, their road and their speed.
///
/// `Demo` makes their accounts at the first start with `--demo`, `DemoRoute` moves them, `DemoTalk` speaks for them.
/// They are plain values. Names, roads, chats and speeds may be changed; a data folder that has the demo already keeps
/// the earlier people.
struct DemoPerson: Sendable {
    /// The demo's chats.
    enum Chat: String, CaseIterable, Sendable {
        case family = "Hasler family"
        case river = "Along the Rhine"
    }

    /// Their name.
    let name: String

    /// The name of their track in `Data/demo/walks.gpx`.
    let walk: String

    /// The part of the track at which they begin, in `0..<1`.
    var part = 0.0

    /// How fast they go; at zero they stay where they begin.
    var speed = Speed.kilometersPerHour(5)

    /// The chats that they share in.
    var chats: [Chat] = [.family]

    /// Whether they are in the world, too.
    var isInWorld = false

    /// The freshness that is shown for a person who doesn't move; `nil` for a person who does.
    var state: Freshness.State?

    /// A name that is unique among the demo's people.
    var nickname: String { state?.rawValue ?? walk }

    /// Their login.
    var login: String { Self.prefix + nickname }

    /// How each demo login begins.
    static let prefix = "demo."

    /// All people of the demo.
    static let all: [DemoPerson] = [
        DemoPerson(name: "Mia Hasler", walk: "mia", part: 0.1, isInWorld: true),
        DemoPerson(name: "Jonas Hasler", walk: "jonas", part: 0.4, speed: .kilometersPerHour(14)),
        DemoPerson(name: "Noah Hasler", walk: "noah", part: 0.15, speed: .kilometersPerHour(30)),
        DemoPerson(name: "Ruth Hasler", walk: "ruth", part: 0.5, speed: .kilometersPerHour(0)),
        DemoPerson(
            name: "Finn Beck",
            walk: "finn",
            part: 0.2,
            speed: .kilometersPerHour(18),
            chats: [.family, .river],
            isInWorld: true
        ),
        DemoPerson(name: "Eva Beck", walk: "eva", part: 0.6, chats: [.family, .river]),
        DemoPerson(
            name: "Tom Ritter",
            walk: "tom",
            part: 0.3,
            speed: .kilometersPerHour(40),
            chats: [.river],
            isInWorld: true
        ),
        DemoPerson(name: "Lena Beck", walk: "mia", part: 0.8, state: .slow),
        DemoPerson(name: "Max Ritter", walk: "jonas", part: 0.75, state: .stale),
        DemoPerson(name: "Nora Hasler", walk: "noah", part: 0.6, state: .offline),
        DemoPerson(name: "Oskar Beck", walk: "finn", part: 0.9, state: .paused),
        DemoPerson(name: "Paula Ritter", walk: "eva", part: 0.2, state: .ended),
    ]
}
