import NIOCore
import YonderModel
import YonderWorld

/// Subscriptions: which owner of live lists each query belongs to.
///
/// Sessions and lists call it on the loop. A refusal of the first answer ends the subscription; later the list stays as
/// it is and is read again. A further query is a case of `StateSubscription.Query`, a topic here, and a list that
/// answers and changes. That a topic goes with its last subscriber must stay (`StateTopicsTests`).
extension HubLoop {
    /// The topic of a query that answers with a state, created if there is none.
    func topic(of query: StateSubscription.Query, for user: UserID) -> SessionTopic {
        switch query {
        case .chats: chats.topics.topic(of: user, number: drawTopic())
        case .contacts: contacts.topics.topic(of: user, number: drawTopic())
        case .presence(let chat): presence.topics.topic(of: chat, number: drawTopic())
        case .freshness: shares.inChats.topic(of: query, number: drawTopic())
        case .shares: shares.ofUsers.topic(of: user, number: drawTopic())
        }
    }

    /// Adds a user's subscription to its topic.
    func add(_ subscription: StateSubscription, of user: UserID) {
        subscription.topic.add(subscription)
        if let audience = subscription.query.audience(user) { exchange.shares { $0.watch(audience) } }
    }

    /// Answers a subscription with the state as it is, and marks it current.
    func answer(_ subscription: StateSubscription) {
        subscription.isStale = false
        switch subscription.query {
        case .chats: chats.answer(subscription)
        case .contacts: contacts.answer(subscription)
        case .presence(let chat): presence.answer(subscription, in: chat)
        case .freshness(let chat, _): shares.answer(subscription, in: chat)
        case .shares: shares.answer(subscription)
        }
    }

    /// Refuses a subscription whose answer couldn't be read; one that was answered before stays, and is read again a
    /// second later.
    func refuse(_ subscription: StateSubscription, _ error: SharingError) {
        guard subscription.wasAnswered, error.code == .unavailable else {
            return subscription.session.refuse(subscription, error)
        }
        subscription.isStale = true
        eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) { [self] in
            // Meanwhile it may have ended, or be read by a session whose outbox has drained.
            guard subscription.session.subscriptions.has(subscription), subscription.isStale,
                !subscription.isCurrent, subscription.read == nil
            else { return }
            answer(subscription)
        }
    }

    /// Reads the lists that depend on frames of other nodes again, after frames may have been lost.
    func refreshLists() {
        for topic in chats.topics.byKey.values.map(\.self) + contacts.topics.byKey.values {
            for subscription in topic.subscribers {
                if subscription.isCurrent { answer(subscription) } else { subscription.isStale = true }
            }
        }
    }

    /// Removes a session's subscription from its topic, and cancels its reads.
    func remove(_ subscription: SessionSubscription) {
        switch subscription {
        case .messages(let messages):
            messages.read?.cancel()
            messages.topic.remove(messages)
            removeIfEmpty(messages.topic)
        case .state(let state): remove(state)
        case .world(let member): world.leave(member)
        case .region(let region): regions.remove(region)
        }
    }

    private func remove(_ subscription: StateSubscription) {
        subscription.read?.cancel()
        subscription.topic.remove(subscription)
        guard let user = subscription.session.user?.id else { return }
        switch subscription.query {
        case .chats: chats.topics.removeIfEmpty(user)
        case .contacts: contacts.topics.removeIfEmpty(user)
        case .presence(let chat): presence.topics.removeIfEmpty(chat)
        case .freshness: shares.inChats.removeIfEmpty(subscription.query)
        case .shares: shares.ofUsers.removeIfEmpty(user)
        }
        if let audience = subscription.query.audience(user) { exchange.shares { $0.unwatch(audience) } }
    }
}
