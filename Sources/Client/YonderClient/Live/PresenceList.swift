public import YonderModel
import YonderWire

/// A participant of a chat connected or disconnected.
public struct PresenceChange: Hashable, Sendable {
    /// The participant.
    public let user: UserID

    /// Whether the participant is connected now.
    public let isOnline: Bool
}

/// The connected participants of a chat, kept current.
///
/// `SharingClient.presence(in:)` opens one; `LiveFeed` has it and applies frames. It can't fail: a user who connects twice is
/// listed once. Readers keep the list of before until an answer is complete (`SharingClientTests`, the SDK's model).
struct PresenceList: LiveList {
    let query: StreamQuery
    private(set) var isCurrent = false
    private var presence: Presence
    private var isFresh = true

    init(of chat: ChatID) {
        query = .presence(chat)
        presence = Presence(chat: chat)
    }

    var snapshot: Set<UserID> { presence.online }

    mutating func reopen() {
        isCurrent = false
        isFresh = true
    }

    mutating func apply(_ frame: ServerFrame) -> LiveStep<PresenceChange> {
        switch frame {
        case .presence(_, _, let isCurrent, let online):
            presence = Presence(
                chat: presence.chat,
                online: isFresh ? Set(online) : presence.online.union(online)
            )
            isFresh = false
            self.isCurrent = isCurrent
            return isCurrent ? .list : .nothing
        case .online(_, let user, let isOnline):
            let isDifferent = presence.set(user, online: isOnline)
            guard isCurrent, isDifferent else { return .nothing }
            return .changes([PresenceChange(user: user, isOnline: isOnline)])
        default: return .nothing
        }
    }
}
