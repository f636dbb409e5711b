import YonderModel
import YonderWire

/// A contact of a user's.
struct ContactKey: Hashable {
    let user: UserID
    let contact: UserID
}

/// Contacts: a query that answers with all of them, and again with each that changes.
extension HubLoop {
    /// Answers with the caller's contacts.
    func answerContacts(_ subscription: StateSubscription) {
        let session = subscription.session
        guard let user = session.user?.id else { return }
        let accounts = exchange.accounts
        // A change from now on may be missing in what is read: `SessionTopic.send` marks the subscription stale then.
        subscription.isCurrent = false
        subscription.read = session.read { () async throws(SharingError) in
            try await accounts.contacts(of: user)
        } then: { [unowned self] result in
            subscription.read = nil
            guard session.subscriptions.has(subscription) else { return }
            switch result {
            case .failure(let error): session.refuse(subscription, error)
            case .success(let contacts):
                if subscription.isStale { return answer(subscription) }
                reply(subscription, contacts)
            }
        }
    }

    private func reply(_ subscription: StateSubscription, _ contacts: [User]) {
        subscription.isCurrent = true
        let answer = ServerFrame.contacts(
            id: subscription.id,
            topic: subscription.topic.number,
            isCurrent: true,
            contacts
        )
        for frame in answer.encodedPages() { subscription.session.reply(encoded: frame) }
    }

    /// Reads a contact again, and sends what it is now to the user's subscriptions.
    ///
    /// One reading of a contact is under way at a time, and a change meanwhile has it read again: so no session is sent an
    /// older state after a newer one.
    func contactChanged(_ contact: UserID, of user: UserID) {
        let key = ContactKey(user: user, contact: contact)
        guard topics.contacts[user] != nil, contactReads.begin(key) else { return }
        readContact(key)
    }

    private func readContact(_ key: ContactKey) {
        let accounts = exchange.accounts
        read(in: lane) { () async throws(SharingError) in
            try await accounts.contacts(of: key.user).first { $0.id == key.contact }
        } then: { [unowned self] result in
            if case .success(let contact) = result { tell(key, contact) }
            if contactReads.end(key) { readContact(key) }
        }
    }

    private func tell(_ key: ContactKey, _ contact: User?) {
        guard let topic = topics.contacts[key.user] else { return }
        let number = topic.number
        topic.send(
            contact.map { .contact(topic: number, $0) } ?? .contactGone(topic: number, key.contact)
        )
    }
}
