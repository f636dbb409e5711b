import YonderGeodesy

/// A chat that somebody watches the people of: everyone in it, and where they are.
final class PeopleChat {
    /// Somebody who is in the chat.
    struct Member {
        var spans: [ParticipationSpan]
        var name: String?

        /// Their number on the map, from their first position on.
        var id: PointIndex.ID?

        /// The number that an answer of the store must reach to say where they are, or `nil` if that is known.
        var awaited: Int64?

        /// Whether the store is being asked.
        var isAsked = false

        /// Whether what it will answer is older than what is known to have changed.
        var mustBeAskedAgain = false
    }

    let id: ChatID

    /// Every change up to this number is in here.
    var through: Int64
    var members: [UserID: Member] = [:]

    /// Who of the viewers is in it.
    private(set) var viewers: [UserID: PeopleViewer] = [:]

    /// From this number on, every viewer may read.
    private(set) var allRead: Int64 = 0

    init(_ id: ChatID, through: Int64) {
        self.id = id
        self.through = through
    }

    /// The numbers on the map of everyone who has one.
    var ids: [PointIndex.ID] { members.values.compactMap(\.id) }

    func insert(_ viewer: PeopleViewer, _ spans: [ParticipationSpan]) {
        viewer.readable[id] = spans
        viewers[viewer.user] = viewer
        allRead = max(allRead, spans.last?.first ?? 0)
    }

    func remove(_ viewer: PeopleViewer) {
        viewer.readable[id] = nil
        viewers[viewer.user] = nil
        allRead = viewers.values.compactMap { $0.readable[id]?.last?.first }.max() ?? 0
    }
}

/// A chat that is being read from the store.
struct PeopleLoading {
    /// Who waits for it.
    var waiting: Set<UserID> = []

    /// What happened since, in order.
    private(set) var changes: [PeopleChange] = []

    /// Whether it has to be read again, as more happened than is kept.
    private(set) var isOverrun = false

    /// How many changes are kept.
    static let limit = 4_096

    mutating func append(_ change: PeopleChange) {
        guard changes.count < Self.limit else { return invalidate() }
        if !isOverrun { changes.append(change) }
    }

    /// Takes in that what is being read is too old.
    mutating func invalidate() {
        changes = []
        isOverrun = true
    }
}

/// What the map has to be told from the stores.
package enum PeopleRequest: Hashable, Sendable {
    /// The chats that a user is in, for ``PeopleMap/take(_:of:listing:)``.
    case chats(of: UserID, listing: Int)
    /// A chat and where everyone in it was last, for ``PeopleMap/take(_:names:)``.
    case everyone(in: ChatID)
    /// Where some people of a chat were last, for ``PeopleMap/take(_:names:of:)``.
    case some(Set<UserID>, in: ChatID)
}
