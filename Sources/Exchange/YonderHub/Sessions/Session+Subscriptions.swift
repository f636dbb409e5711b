import NIOCore
import YonderModel
import YonderWire
import YonderWorld

/// A session's subscriptions: taking them up, falling behind, ending them.
///
/// `Session+Frames.swift` calls ``subscribe(_:_:)`` and ``unsubscribe(_:)``, topics and states call the others, all on
/// the session's event loop. A refusal goes to the client as a frame with the subscription's id, and the session goes
/// on; a session that lost a message that isn't stored ends, and its client connects again.
///
/// Which queries there are is in `Documentation/stream.md`, their limits in ``SubscriptionTable``
/// (`ExchangeTests`). A further query is a case of `StreamQuery` and a branch here.
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
        if losing { close(WebSocketCloseCode.policyViolation, SharingError.Code.slowReader.rawValue) }
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
        case .chats(let limit): try openState(id, .chats, limit: limit)
        case .contacts: try openState(id, .contacts)
        case .presence(let chat): try openState(id, .presence(chat))
        case .freshness(let chat, let isPartial): try openState(id, .freshness(chat, isPartial: isPartial))
        case .shares: try openState(id, .shares)
        case .world: try enterWorld(id)
        case .objects(let query): openObjects(id, query)
        case .people(let query): try openPeople(id, query)
        }
    }

    private func openMessages(_ id: Int64, _ query: MessageQuery) throws(SharingError) {
        let topic = loop.topic(of: query.filter)
        guard !subscriptions.watches(topic) else { throw .duplicateQuery }
        let subscription = MessageSubscription(id: id, session: self, topic: topic, query: query)
        insert(.messages(subscription), as: id)
        topic.add(away: subscription)
        CatchUp.begin(subscription)
    }

    private func openState(_ id: Int64, _ query: StateSubscription.Query, limit: Int = StreamQuery.chatLimit)
        throws(SharingError)
    {
        guard !subscriptions.watches(query) else { throw .duplicateQuery }
        guard let owner = user?.id else { throw .notSignedIn }
        let subscription = StateSubscription(
            id: id,
            session: self,
            topic: loop.topic(of: query, for: owner),
            query: query,
            limit: limit
        )
        insert(.state(subscription), as: id)
        loop.add(subscription, of: owner)
        loop.answer(subscription)
    }

    private func enterWorld(_ id: Int64) throws(SharingError) {
        guard subscriptions.pin == nil else { throw .duplicateQuery }
        let holder = user.map { "user \($0.id)" } ?? network
        let pin = try loop.world.enter(self, isMember: user != nil, subscription: id, holder: holder)
        insert(.world(pin), as: id)
    }
}

extension SharingError {
    fileprivate static let duplicateQuery = SharingError(
        .duplicateSubscription,
        "query: the session has a subscription to it; since, latest and limit don't make it another query."
    )
}
