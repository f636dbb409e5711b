import YonderBus
import YonderModel
import YonderWire

/// The lists of connected participants that the sessions of one event loop keep current.
///
/// In a chat in which a participant blocks the other, nobody is online.
///
/// `HubLoop` has one: sessions subscribe, and the exchange passes users who came or went, on every loop. Whether someone
/// is online is asked of ``PresenceBoard`` when the frame is made, not taken from the event, because events of two
/// threads may overtake each other: this must stay. A refusal ends the subscription alone (`PresenceTests`).
final class PresenceLists {
    private let board: PresenceBoard
    private let closed: ClosedChats
    private let rosters: Rosters

    /// The topics of the presence in chats.
    let topics = StateTopics<ChatID>()

    init(of exchange: Exchange, rosters: Rosters) {
        board = exchange.presence
        closed = exchange.closed
        self.rosters = rosters
        // A list can't tell whom it misses, so the people of its chat stay known.
        rosters.isHeld = { [unowned self] chat in topics[chat] != nil }
    }

    /// Answers a participant with the connected participants of a chat.
    func answer(_ subscription: StateSubscription, in chat: ChatID) {
        let session = subscription.session
        rosters.withPeople(in: chat, for: session, onRead: { subscription.read = $0 }) {
            [unowned self] result in
            guard session.subscriptions.has(subscription) else { return }
            guard case .success(let people) = result, let user = session.user, people.contains(user.id) else {
                let error = SharingError(.unknownChat, "No such chat.")
                if case .failure(let cause) = result { return session.refuse(subscription, cause) }
                return session.refuse(subscription, error)
            }
            reply(subscription, closed.contains(chat) ? [] : board.online(among: people).sorted())
        }
    }

    private func reply(_ subscription: StateSubscription, _ online: [UserID]) {
        subscription.isCurrent = true
        let answer = ServerFrame.presence(
            id: subscription.id,
            topic: subscription.topic.number,
            isCurrent: true,
            online: online
        )
        for frame in answer.encodedPages() { subscription.session.reply(encoded: frame) }
    }

    /// Sends to the subscribers of the users' chats whether each of the users is online now.
    func changed(_ users: [UserID]) {
        guard !topics.isEmpty else { return }
        for user in users {
            let isOnline = board.isOnline(user)
            // Without the people of a chat no subscription of its topic was answered yet.
            for (chat, topic) in topics.byKey
            where !closed.contains(chat) && rosters.isPresent(user, in: chat) ?? false {
                topic.send(.online(topic: topic.number, user, isOnline))
            }
        }
    }

    /// Sends to the subscribers of a chat that those who left aren't shown any more, and who of those who joined is online.
    func moved(_ participants: [Participant], in chat: ChatID) {
        guard let topic = topics[chat], !closed.contains(chat) else { return }
        for participant in participants where !participant.isPresent || board.isOnline(participant.user) {
            topic.send(.online(topic: topic.number, participant.user, participant.isPresent))
        }
    }

    /// Sends to the subscribers of chats that were closed that nobody is online, and to those of chats that were opened
    /// the present state.
    func closedChanged(_ chats: [ChatID]) {
        for chat in chats {
            guard let topic = topics[chat], let people = rosters.people(in: chat) else { continue }
            let isClosed = closed.contains(chat)
            for user in people.sorted() {
                topic.send(.online(topic: topic.number, user, !isClosed && board.isOnline(user)))
            }
        }
    }
}
