import TestSupport
import YonderClient
import YonderGeodesy
import YonderModel
import YonderWire

// Each list of the SDK, as an app reads it.
extension ModelView {
    /// The lists that a person has open: the general ones, and those of each chat.
    static func all(of client: SharingClient, in chats: [ChatID]) async -> [ModelView] {
        var views = [
            ModelView("chats", await client.chats(), [:], apply: apply) { $0.values.map(line) },
            ModelView("contacts", await client.contacts(), [:], apply: apply) {
                $0.values.map { "\($0.id) \($0.name)" }
            },
            ModelView("shares", await client.shares(), [:], apply: apply) { running($0).map(line) },
            ModelView(
                "people",
                await client.people(in: .everywhere),
                RegionContents(),
                apply: { $1.apply($0) }
            ) {
                $0.items.values.map(line) + ["\($0.total)"]
            },
        ]
        for chat in chats { views += await inside(chat, of: client) }
        return views
    }

    /// The lists of a chat.
    static func inside(_ chat: ChatID, of client: SharingClient) async -> [ModelView] {
        [
            ModelView("messages \(chat)", await client.messages(in: chat), [:], apply: apply) {
                $0.values.map(line)
            },
            ModelView("last \(chat)", await client.locations(in: chat), [:], apply: applyLast) {
                $0.values.map(line)
            },
            ModelView("presence \(chat)", await client.presence(in: chat), [], apply: apply) {
                $0.map(\.description)
            },
            ModelView("freshness \(chat)", await client.freshness(in: chat), [:], apply: apply) {
                shown($0).map(line)
            },
        ]
    }

    // MARK: - Applying

    @Sendable private static func apply(
        _ update: LiveUpdate<[NamedChat], ChatChange>,
        _ chats: inout [ChatID: NamedChat]
    ) {
        switch update {
        case .list(let list): chats = Dictionary(uniqueKeysWithValues: list.map { ($0.id, $0) })
        case .change(.changed(let chat)): chats[chat.id] = chat
        case .change(.left(let chat)): chats[chat] = nil
        }
    }

    @Sendable private static func apply(
        _ update: LiveUpdate<[User], ContactChange>,
        _ users: inout [UserID: User]
    ) {
        switch update {
        case .list(let list): users = Dictionary(uniqueKeysWithValues: list.map { ($0.id, $0) })
        case .change(.changed(let user)): users[user.id] = user
        case .change(.removed(let user)): users[user] = nil
        }
    }

    @Sendable private static func apply(
        _ update: LiveUpdate<[ShownShare], ShownShare>,
        _ shares: inout [ShareID: ShownShare]
    ) {
        switch update {
        case .list(let list): shares = Dictionary(uniqueKeysWithValues: list.map { ($0.id, $0) })
        case .change(let share): shares[share.id] = share
        }
    }

    @Sendable private static func apply(
        _ update: LiveUpdate<[Message], MessageChange>,
        _ messages: inout [Int64: Message]
    ) {
        switch update {
        case .list(let list): messages = Dictionary(uniqueKeysWithValues: list.map { ($0.logNumber, $0) })
        case .change(.added(let message)), .change(.recalled(let message)):
            messages[message.logNumber] = message
        case .change(.trimmed(let first)): messages = messages.filter { $0.key >= first }
        case .change(.passed): break
        }
    }

    @Sendable private static func applyLast(
        _ update: LiveUpdate<[Message], MessageChange>,
        _ messages: inout [UserID: Message]
    ) {
        switch update {
        case .list(let list): messages = Dictionary(uniqueKeysWithValues: list.map { ($0.sender, $0) })
        case .change(.added(let message)): messages[message.sender] = message
        case .change(.recalled(let message)):
            if messages[message.sender]?.number == message.number { messages[message.sender] = nil }
        case .change(.trimmed(let first)): messages = messages.filter { $0.value.logNumber >= first }
        case .change(.passed): break
        }
    }

    @Sendable private static func apply(
        _ update: LiveUpdate<Set<UserID>, PresenceChange>,
        _ users: inout Set<UserID>
    ) {
        switch update {
        case .list(let list): users = list
        case .change(let change) where change.isOnline: users.insert(change.user)
        case .change(let change): users.remove(change.user)
        }
    }

    // MARK: - What is compared

    /// What is compared of a chat: neither `last`, which no frame updates, nor the names of participants who left, whose renames aren't sent.
    private static func line(_ chat: NamedChat) -> String {
        let people = chat.chat.participants.map { person in
            "\(person.user) \(person.role) \(person.isPresent) \(person.isPresent ? chat.users[person.user]?.name ?? "" : "")"
        }
        let reads = (chat.view?.reads ?? [:]).map { "\($0.key): \($0.value)" }.sorted()
        let preview = chat.view?.preview.map { "\($0.number) \($0.content.prefix(20))" } ?? "none"
        let state = "\(chat.chat.subject) \(chat.chat.written) \(chat.chat.active) \(people.sorted())"
        return "\(chat.id) \(state), read \(chat.view?.read.number ?? 0), \(preview), others \(reads)"
    }

    /// An ended share without its id: of two that one stop ended, either may be the newest.
    private static func line(_ share: ShownShare) -> String {
        guard share.freshness.state != .ended else {
            return "\(share.share.user) ended \(share.freshness.asOf)"
        }
        let until = share.share.until.map { "\($0)" } ?? "stopped"
        return "\(share.id) \(share.share.user) until \(until), \(share.share.keeping)"
    }

    private static func line(_ person: RegionPerson) -> String {
        "\(person.chat) \(person.user) \(person.name ?? "") \(person.number ?? 0) \(person.position.coordinate)"
    }

    private static func line(_ message: Message) -> String {
        "\(message.logNumber) \(message.sender) \(message.tag) \(message.content.prefix(20)) \(message.isRecalled)"
    }

    private static func running(_ shares: [ShareID: ShownShare]) -> [ShownShare] {
        shares.values.filter { $0.freshness.state != .ended }
    }

    /// As a fresh answer has them: those that run, and of each person without one the newest kept one that ended.
    private static func shown(_ shares: [ShareID: ShownShare]) -> [ShownShare] {
        let running = running(shares)
        let sharers = Set(running.map(\.share.user))
        let over = shares.values.filter { share in
            share.freshness.state == .ended && share.share.keeping == .kept
                && !sharers.contains(share.share.user)
        }
        let newest = Dictionary(grouping: over, by: \.share.user).values.compactMap { ended in
            ended.max { ($0.freshness.asOf, $0.id) < ($1.freshness.asOf, $1.id) }
        }
        return running + newest
    }
}
