import YonderGeodesy
package import YonderModel

/// A chat with at least one viewer: its participants and their positions.
///
/// ``PeopleMap`` makes one of each answer of the stores, changes it with each commit, and drops it with its last viewer. It
/// is a class so that a commit changes one member without copying the others; it has the map's event loop.
///
/// Nothing fails. ``PeopleLoading/limit`` may be changed. That a member's position is shown only to viewers who may read
/// its message must stay (decision 13, `PeopleMapTests`).
final class PeopleChat {
    /// A present participant of the chat.
    struct Member {
        var spans: [ParticipationSpan]
        var name: String?

        /// The participant's number on the map, assigned with the first position.
        var id: PointIndex.ID?

        /// The log number that an answer of the store must reach to give the participant's position, or `nil`
        /// if the position is known.
        var awaited: Int64?

        /// Whether a read of the store is under way.
        var isAsked = false

        /// Whether something changed since the read began, so that the answer will be outdated.
        var mustBeAskedAgain = false
    }

    let id: ChatID

    /// Every change up to this log number is included.
    var through: Int64
    var members: [UserID: Member] = [:]

    /// The viewers who are participants of the chat.
    private(set) var viewers: [UserID: PeopleViewer] = [:]

    /// Every viewer may read messages from this log number on.
    private(set) var allRead: Int64 = 0

    init(_ id: ChatID, through: Int64) {
        self.id = id
        self.through = through
    }

    /// The map numbers of all participants who have one.
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

/// A chat that is being read from the store, with the commits that came meanwhile, at most ``limit``; beyond that it is read
/// again.
struct PeopleLoading {
    /// The viewers who wait for the chat.
    var waiting: Set<UserID> = []

    /// The changes committed since the read began, in order.
    private(set) var changes: [PeopleChange] = []

    /// Whether the chat must be read again because more changes arrived than are kept.
    private(set) var isOverrun = false

    /// The most changes that are kept.
    static let limit = 4_096

    mutating func append(_ change: PeopleChange) {
        guard changes.count < Self.limit else { return invalidate() }
        if !isOverrun { changes.append(change) }
    }

    /// Call this when the read under way is outdated: its answer will be discarded.
    mutating func invalidate() {
        changes = []
        isOverrun = true
    }
}

/// A read of the stores that the map needs.
package enum PeopleRequest: Hashable, Sendable {
    /// The chats that a user is in, for ``PeopleMap/take(_:of:listing:)``.
    case chats(of: UserID, listing: Int)
    /// A chat with the last positions of all participants, for ``PeopleMap/take(_:names:)``.
    case everyone(in: ChatID)
    /// The last positions of some participants of a chat, for ``PeopleMap/take(_:names:of:)``.
    case some(Set<UserID>, in: ChatID)
}
