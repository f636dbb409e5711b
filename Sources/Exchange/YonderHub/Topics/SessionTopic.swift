import YonderModel
import YonderWire

/// The subscribers of a user's chats, or of the presence in a chat: few changes, each passed on by itself.
///
/// `HubLoop+Queries.swift` makes one for each state that a session shows, and the lists send through it, all on the
/// loop. Nothing fails; a session that is slow is marked as behind, and gets the state again later. That a subscription
/// which waits for its answer gets the changes behind that must stay, or an older state would be the last
/// (`StateTopicsTests`, `ActivityTests`).
final class SessionTopic {
    let number: Int64
    private(set) var subscribers: [StateSubscription] = []

    /// Whether the person whose chats these are shows how far they have read, and so knows it of the others.
    var showsReads = true

    /// The chats in the list, if the topic is a user's list of chats; else empty.
    var chats: Set<ChatID> = []

    /// The shares that every subscriber has, if the topic is a list of partial shares.
    var knownShares = KnownShares()

    init(number: Int64) {
        self.number = number
    }

    func add(_ subscription: StateSubscription) {
        subscribers.append(subscription)
    }

    func remove(_ subscription: StateSubscription) {
        subscribers.removeAll { $0 === subscription }
    }

    /// Passes on what happened in a chat; to a subscription that waits for its answer behind that.
    ///
    /// - Returns: Whether there is a client whose list has no room for all chats, and that wasn't sent this chat: the chat itself
    ///   must be sent instead.
    func send(_ activity: ChatActivity) -> Bool {
        let encoded = ServerFrame.activity(topic: number, activity).encoded()
        var isUnknown = false
        for subscription in subscribers {
            if subscription.isCurrent, !(subscription.sent?.contains(activity.chat) ?? true) {
                isUnknown = true
            } else if !subscription.isCurrent {
                subscription.missed[activity.chat, default: activity].merge(activity)
            } else {
                subscription.pass(encoded)
            }
        }
        return isUnknown
    }

    /// Sends a chat that is in the list, new or changed.
    func send(_ chat: NamedChat) {
        chats.insert(chat.id)
        for subscription in subscribers { subscription.sent?.insert(chat.id) }
        send(.chat(topic: number, chat))
    }

    /// Sends that a chat is no longer in the list.
    func sendLeft(_ chat: ChatID) {
        chats.remove(chat)
        for subscription in subscribers { subscription.sent?.remove(chat) }
        send(.chatLeft(topic: number, chat))
    }

    /// Sends a frame to each subscription that was sent its answer.
    ///
    /// A subscription whose answer is still being read, or whose session's outbox is full, is marked as stale: it is
    /// sent a new answer later.
    func send(_ frame: ServerFrame) {
        let encoded = frame.encoded()
        for subscription in subscribers {
            if subscription.isCurrent { subscription.pass(encoded) } else { subscription.isStale = true }
        }
    }
}
