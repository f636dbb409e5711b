import YonderModel
import YonderWire

/// The subscribers of a user's chats, or of the presence in a chat: few changes, each passed on by itself.
final class SessionTopic {
    let number: Int64
    private(set) var subscribers: [StateSubscription] = []

    /// Whether the person whose chats these are shows how far they have read, and so knows it of the others.
    var showsReads = true

    /// The chats in the list, if the topic is a user's list of chats; else empty.
    var chats: Set<ChatID> = []

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
    func send(_ activity: ChatActivity) {
        let encoded = ServerFrame.activity(topic: number, activity).encoded()
        for subscription in subscribers {
            if !subscription.isCurrent {
                subscription.missed[activity.chat, default: activity].merge(activity)
            } else if subscription.session.isWritable {
                subscription.session.reply(encoded: encoded)
            } else {
                subscription.isStale = true
                subscription.session.fellBehind(subscription.id)
            }
        }
    }

    /// Sends a frame to each subscription that was sent its answer.
    ///
    /// A subscription whose answer is still being read, or whose session's outbox is full, is marked as stale: it is
    /// sent a new answer later.
    func send(_ frame: ServerFrame) {
        let encoded = frame.encoded()
        for subscription in subscribers {
            if !subscription.isCurrent {
                subscription.isStale = true
            } else if subscription.session.isWritable {
                subscription.session.reply(encoded: encoded)
            } else {
                subscription.isStale = true
                subscription.session.fellBehind(subscription.id)
            }
        }
    }
}
