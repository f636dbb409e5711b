import NIOCore
import YonderModel
import YonderWire

/// A session's subscriptions: taking them up, falling behind, ending them.
extension Session {
    func subscribe(_ id: Int64, _ query: StreamQuery) {
        do throws(SharingError) {
            try checkSubscription(id, query)
            try open(id, query)
        } catch {
            refuse(FrameRefusal(error, id: id))
        }
    }

    func unsubscribe(_ id: Int64) {
        guard drop(id) else {
            let error = SharingError(.invalidField, "id must be that of an open subscription; \(id) is none.")
            return refuse(FrameRefusal(error, id: id))
        }
        reply(.unsubscribed(id: id))
    }

    /// Ends a subscription that can't be answered.
    func refuse(_ subscription: StateSubscription, _ error: SharingError) {
        drop(subscription.id)
        refuse(FrameRefusal(error, id: subscription.id))
    }

    /// Ends a subscription that can't be answered, or no longer.
    func refuse(_ subscription: MessageSubscription, _ error: SharingError) {
        drop(subscription.id)
        if subscription.isCurrent {
            reply(.ended(id: subscription.id, topic: subscription.topic.number, error))
        } else {
            refuse(FrameRefusal(error, id: subscription.id, chat: subscription.topic.filter.chat))
        }
    }

    /// Remembers to go on with a subscription once there is room.
    ///
    /// - Parameters:
    ///   - subscription: Which one.
    ///   - losing: Whether something was missed that the store doesn't have; then the session ends.
    func fellBehind(_ subscription: MessageSubscription, losing: Bool) {
        fellBehind(subscription.id)
        if losing { close(CloseCode.policyViolation, SharingError.Code.slowReader.rawValue) }
    }

    /// Ends what shows a chat that the user isn't in any more.
    func endSubscriptions(of chat: ChatID) {
        let error = SharingError(.notParticipant, "You left this chat, or were removed from it.")
        for (id, topic) in subscriptions.showing(chat) {
            drop(id)
            reply(.ended(id: id, topic: topic, error))
        }
    }

    private func checkSubscription(_ id: Int64, _ query: StreamQuery) throws(SharingError) {
        try subscriptions.check(id)
        switch query {
        case .world, .objects: break
        case .messages, .chats, .contacts, .presence, .freshness, .shares, .people:
            guard user != nil else { throw .notSignedIn }
        }
    }

    private func open(_ id: Int64, _ query: StreamQuery) throws(SharingError) {
        switch query {
        case .messages(let query): try openMessages(id, query)
        case .chats: try openState(id, .chats)
        case .contacts: try openState(id, .contacts)
        case .presence(let chat): try openState(id, .presence(chat))
        case .freshness(let chat): try openState(id, .freshness(chat))
        case .shares: try openState(id, .shares)
        case .world: try enterWorld(id)
        case .objects(let query): openObjects(id, query)
        case .people(let query): try openPeople(id, query)
        }
    }

    private func openMessages(_ id: Int64, _ query: MessageQuery) throws(SharingError) {
        let topic = loop.topics.messages(query.filter)
        guard !subscriptions.watches(topic) else { throw .duplicateQuery }
        let subscription = MessageSubscription(id: id, session: self, topic: topic, query: query)
        insert(.messages(subscription), as: id)
        topic.add(away: subscription)
        CatchUp.begin(subscription)
    }

    private func openState(_ id: Int64, _ query: StateSubscription.Query) throws(SharingError) {
        guard !subscriptions.watches(query) else { throw .duplicateQuery }
        guard let owner = user?.id else { throw .notSignedIn }
        let subscription = StateSubscription(
            id: id,
            session: self,
            topic: stateTopic(query, of: owner),
            query: query
        )
        insert(.state(subscription), as: id)
        subscription.topic.add(subscription)
        if let audience = query.audience(owner) { loop.exchange.shares { $0.watch(audience) } }
        loop.answer(subscription)
    }

    private func stateTopic(_ query: StateSubscription.Query, of owner: UserID) -> SessionTopic {
        switch query {
        case .chats: loop.topics.chats(of: owner)
        case .contacts: loop.topics.contacts(of: owner)
        case .presence(let chat): loop.topics.presence(in: chat)
        case .freshness(let chat): loop.topics.freshness(in: chat)
        case .shares: loop.topics.shares(of: owner)
        }
    }

    private func enterWorld(_ id: Int64) throws(SharingError) {
        guard subscriptions.pin == nil else { throw .duplicateQuery }
        insert(.world(try loop.world.enter(self, isMember: user != nil, subscription: id)), as: id)
    }
}

extension SharingError {
    fileprivate static let duplicateQuery = SharingError(
        .duplicateSubscription,
        "query: the session has a subscription to it; since, latest and limit don't make it another query."
    )
}

extension HubLoop {
    /// Removes a session's subscription from its topic, and cancels its reads.
    func remove(_ subscription: SessionSubscription) {
        switch subscription {
        case .messages(let messages):
            messages.read?.cancel()
            messages.topic.remove(messages)
            topics.removeIfEmpty(messages.topic)
        case .state(let state):
            state.read?.cancel()
            state.topic.remove(state)
            switch state.query {
            case .chats: if let user = state.session.user { topics.removeIfEmptyChats(of: user.id) }
            case .contacts: if let user = state.session.user { topics.removeIfEmptyContacts(of: user.id) }
            case .presence(let chat): topics.removeIfEmptyPresence(in: chat)
            case .freshness(let chat): topics.removeIfEmptyFreshness(in: chat)
            case .shares: if let user = state.session.user { topics.removeIfEmptyShares(of: user.id) }
            }
            if let user = state.session.user?.id, let audience = state.query.audience(user) {
                exchange.shares { $0.unwatch(audience) }
            }
        case .world(let member): world.leave(member)
        case .region(let region):
            if let room = region.room {
                room.remove(region)
                regions.removeIfEmpty(room)
            }
            if case .people(let user) = region.subject { removeViewer(region, of: user) }
        }
    }
}
