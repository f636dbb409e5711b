import YonderModel
import YonderRules
import YonderWire

/// The lists of shares that the sessions of one event loop keep current: those in a chat with their freshness, and a
/// user's own.
///
/// `HubLoop` has one: it passes subscriptions, and `Exchange+Shares.swift` the shares that changed, on every loop. A
/// refusal ends the subscription alone, with its reason. Which viewers a change concerns, and what they see of it, is
/// decided in ``ShareRoll`` and in `ShareRules`; the frames are `ServerFrame`'s. That a viewer is answered first and
/// then sent changes must stay (decision 18, `ShareStreamTests`).
final class ShareLists {
    private unowned let exchange: Exchange
    private let board: ShareBoard

    /// The topics of the shares in chats.
    let inChats = StateTopics<StateSubscription.Query>()

    /// The topics of users' own shares.
    let ofUsers = StateTopics<UserID>()

    init(of exchange: Exchange) {
        self.exchange = exchange
        board = exchange.shares
    }

    /// Answers with the shares in a chat, to a participant.
    func answer(_ subscription: StateSubscription, in chat: ChatID) {
        let (exchange, session) = (exchange, subscription.session)
        let chats = exchange.chats
        let users: Set<UserID>? = board { $0.needsSeed(chat) } ? nil : []
        subscription.isCurrent = false
        subscription.read = session.read { () async throws(SharingError) in
            try await chats.lastLocations(in: chat, of: users, now: exchange.now())
        } then: { [unowned self] result in
            subscription.read = nil
            guard session.subscriptions.has(subscription) else { return }
            do throws(SharingError) {
                let last = try result.get()
                guard let user = session.user else { throw .notSignedIn }
                _ = try ChatRules.present(user.id, in: last.chat)
                if users == nil { board { $0.seed(chat, last.messages) } }
                if subscription.isStale { return session.loop.answer(subscription) }
                reply(subscription, .freshness, board.shown(in: chat))
            } catch {
                session.refuse(subscription, error)
            }
        }
    }

    /// Answers with the caller's own shares.
    func answer(_ subscription: StateSubscription) {
        guard let user = subscription.session.user?.id else { return }
        reply(subscription, .shares, board.shown(of: user))
    }

    private func reply(_ subscription: StateSubscription, _ kind: SharesKind, _ shares: [ShownShare]) {
        subscription.isCurrent = true
        let (id, topic) = (subscription.id, subscription.topic)
        topic.knownShares.answered(shares)
        let answer = ServerFrame.shares(kind, id: id, topic: topic.number, isCurrent: true, shares)
        for frame in answer.encodedPages() { subscription.session.reply(encoded: frame) }
    }

    /// Sends shares to their viewers.
    ///
    /// The state is read here, so that no viewer is sent an older state after a newer one.
    func changed(_ shares: [Share]) {
        for (chat, shares) in Dictionary(grouping: shares, by: \.chat) {
            tell(inChats[.freshness(chat, isPartial: false)], .freshness, shares)
            tell(inChats[.freshness(chat, isPartial: true)], .freshness, shares, whole: false)
        }
        for (user, shares) in Dictionary(grouping: shares, by: \.user) {
            tell(ofUsers[user], .shares, shares)
        }
    }

    private func tell(_ topic: SessionTopic?, _ kind: SharesKind, _ shares: [Share], whole: Bool = true) {
        guard let topic else { return }
        let shown = board { [board] roll in
            let now = board.now()
            let present = kind == .freshness ? roll.withShownEnds(shares, at: now) : roll.present(shares)
            return roll.show(present, at: now, toAll: true)
        }
        let changes = whole ? shown.map(ShareChange.init) : topic.knownShares.changes(shown)
        topic.send(.sharesChanged(kind, topic: topic.number, changes))
    }
}

extension StateSubscription.Query {
    /// The audience that a subscriber of this query belongs to, or `nil` if the query doesn't show shares.
    func audience(_ user: UserID) -> ShareRoll.Audience? {
        switch self {
        case .freshness(let chat, _): .chat(chat)
        case .shares: .person(user)
        case .chats, .contacts, .presence: nil
        }
    }
}
