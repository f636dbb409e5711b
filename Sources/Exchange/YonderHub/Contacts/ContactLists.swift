import YonderModel
import YonderRules
import YonderWire

/// The lists of contacts that the sessions of one event loop keep current.
///
/// Invariant: one read of a contact is under way at a time, and after a change meanwhile its answer is dropped and the
/// contact read again: so no session is sent an older state after a newer one.
///
/// `HubLoop` has one: sessions subscribe, and `Exchange+Contacts.swift` passes each changed contact on every loop. A
/// read that fails for an answer refuses the subscription; one for a change has lists read again a second later.
/// `ContactTests` holds the order.
///
/// The invariant must stay.
final class ContactLists {
    /// A contact of a user's.
    private struct Key: Hashable {
        let user: UserID
        let contact: UserID
    }

    private unowned let exchange: Exchange
    private let accounts: any AccountStore
    private let reads: StoreReads

    /// The topics of users' contacts.
    let topics = StateTopics<UserID>()
    private var refreshes = RefreshTable<Key>()

    init(of exchange: Exchange, reads: StoreReads) {
        self.exchange = exchange
        accounts = exchange.accounts
        self.reads = reads
    }

    /// Answers with the caller's contacts.
    func answer(_ subscription: StateSubscription) {
        let (session, accounts) = (subscription.session, accounts)
        guard let user = session.user?.id else { return }
        // A change from now on may be missing in what is read: `SessionTopic.send` marks the subscription stale then.
        subscription.isCurrent = false
        subscription.read = session.read { () async throws(SharingError) in
            try await accounts.contacts(of: user)
        } then: { [unowned self] result in
            subscription.read = nil
            guard session.subscriptions.has(subscription) else { return }
            switch result {
            case .failure(let error): session.loop.refuse(subscription, error)
            case .success where subscription.isStale: session.loop.answer(subscription)
            case .success(let contacts): reply(subscription, contacts)
            }
        }
    }

    private func reply(_ subscription: StateSubscription, _ contacts: [User]) {
        subscription.isCurrent = true
        subscription.wasAnswered = true
        let answer = ServerFrame.contacts(
            id: subscription.id,
            topic: subscription.topic.number,
            isCurrent: true,
            contacts
        )
        for frame in answer.encodedPages() { subscription.session.reply(encoded: frame) }
    }

    /// Reads a contact again, and sends what it is now to the user's subscriptions.
    func changed(_ contact: UserID, of user: UserID) {
        let key = Key(user: user, contact: contact)
        guard topics[user] != nil, refreshes.begin(key) else { return }
        read(key)
    }

    private func read(_ key: Key) {
        let accounts = accounts
        reads.read(in: reads.ownLane) { () async throws(SharingError) in
            try await accounts.contacts(of: key.user).first { $0.id == key.contact }
        } then: { [unowned self] result in
            switch result {
            case .success(let contact): if !refreshes.isOvertaken(key) { tell(key, contact) }
            case .failure(let error): exchange.couldNotRead(error)
            }
            if refreshes.end(key) { read(key) }
        }
    }

    private func tell(_ key: Key, _ contact: User?) {
        guard let topic = topics[key.user] else { return }
        let number = topic.number
        topic.send(
            contact.map { .contact(topic: number, $0) } ?? .contactGone(topic: number, key.contact)
        )
    }
}
