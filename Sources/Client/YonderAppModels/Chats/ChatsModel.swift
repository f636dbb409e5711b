public import Observation
import YonderClient
import YonderModel
import YonderWire

/// The person's chats: names, what is new, and which participants are connected.
///
/// `PersonModels` makes one and runs ``run()`` as long as the person is signed in, since the badge counts while other screens
/// are shown; the chats' screen sets ``search`` and draws ``content``, on the main actor. Nothing throws: ``problem`` says
/// why there is no list, and a chat whose presence can't be read shows nobody as connected.
///
/// The order, and what counts as new, are the server's (decision 20). ``followedLimit`` may change: each followed chat is a
/// subscription, of which a client may have 256 (`ChatsModelTests`).
@MainActor @Observable
public final class ChatsModel {
    /// What the screen shows.
    public enum Content: Hashable, Sendable {
        /// A text: the list hasn't come yet, or nothing is found.
        case note(String)
        /// There is no chat yet: a title, a hint, and the button *new chat*.
        case none(title: String, hint: String)
        /// The list.
        case rows([ChatRow])
    }

    /// The connection, to be shown above the list.
    public let connection: ConnectionModel

    /// The part of a name that is searched for, or nothing.
    public var search = ""

    /// Why there is no list, or `nil`.
    public private(set) var problem: String?

    /// The most chats whose presence is followed: those that were active last.
    public static let followedLimit = 100

    private var chats: [NamedChat]?
    private var online: [ChatID: Set<UserID>] = [:]
    private let person: SignedInUser
    private let context: AppContext
    private let ticker: Ticker
    @ObservationIgnored private var followed: Set<ChatID> = []

    /// Creates the model of a person's chats.
    public init(of person: SignedInUser, _ context: AppContext) {
        (self.person, self.context) = (person, context)
        connection = ConnectionModel(person.client, context)
        ticker = Ticker(context)
    }

    // MARK: - What the screen shows

    /// What the screen shows.
    public var content: Content {
        guard let chats else { return .note(problem ?? context.say(.pageLoading)) }
        if chats.isEmpty { return .none(title: context.say(.chatsNone), hint: context.say(.chatsNoneHint)) }
        let rows = rows
        return rows.isEmpty ? .note(context.say(.chatsNotFound)) : .rows(rows)
    }

    /// The chats that are found, the one where something happened last first.
    public var rows: [ChatRow] {
        let found = (chats ?? []).filter { chat in
            NameSearch(search).finds([chat.chat.subject] + chat.users.values.map(\.name))
        }
        return found.sorted { ($1.chat.active, $0.id) < ($0.chat.active, $1.id) }.map(row)
    }

    /// How many messages are new in all chats, for the badge of a tab: *3*, *99+*; empty for none.
    public var badge: String { badge(unread) }

    /// How many messages are new in all chats.
    public var unread: Int { (chats ?? []).reduce(0) { $0 + $1.unread(for: person.id) } }

    private func row(_ chat: NamedChat) -> ChatRow {
        let unread = chat.unread(for: person.id)
        let connected = connected(in: chat)
        return ChatRow(
            id: chat.id,
            name: context.name(of: chat, for: person.id),
            preview: context.preview(of: chat, for: person.id),
            time: context.listText(chat.chat.active, at: ticker.now),
            isUnread: unread > 0,
            badge: badge(unread),
            unread: unread > 0 ? context.say(.chatsUnread, count: unread) : "",
            isConnected: connected > 0,
            presence: presence(connected, in: chat),
            faces: chat.others(than: person.id).prefix(2).compactMap { chat.users[$0.user].map(Face.init) }
        )
    }

    private func badge(_ count: Int) -> String {
        count > 99 ? "99+" : count > 0 ? "\(count)" : ""
    }

    /// How many other participants are connected; 0 without a connection of one's own.
    private func connected(in chat: NamedChat) -> Int {
        guard connection.state == .connected else { return 0 }
        return online[chat.id, default: []].subtracting([person.id]).count
    }

    private func presence(_ count: Int, in chat: NamedChat) -> String {
        guard count > 0 else { return "" }
        return chat.chat.isOneToOne
            ? context.say(.appConnectedNow) : context.say(.appConnectedCount, count: count)
    }

    // MARK: - Running

    /// Follows the chats until the task is canceled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.connection.run() }
            group.addTask { await self.ticker.run() }
            await follow { chat in group.addTask { await self.followPresence(in: chat) } }
            group.cancelAll()
        }
        followed = []
    }

    private func follow(_ begin: (ChatID) -> Void) async {
        do throws(SharingError) {
            var updates = await person.client.chats().makeAsyncIterator()
            while let update = try await updates.next() {
                problem = nil
                take(update)
                for chat in newlyFollowed() { begin(chat) }
            }
        } catch {
            problem = context.say(error)
        }
    }

    private func take(_ update: LiveUpdate<[NamedChat], ChatChange>) {
        ticker.tick()
        switch update {
        case .list(let list): chats = list
        case .change(.left(let chat)): chats?.removeAll { $0.id == chat }
        case .change(.changed(let chat)):
            if let index = chats?.firstIndex(where: { $0.id == chat.id }) {
                chats?[index] = chat
            } else {
                chats?.append(chat)
            }
        }
    }

    /// The chats whose presence is followed from now on; a chat is followed as long as the person is in it.
    private func newlyFollowed() -> [ChatID] {
        let active = (chats ?? []).sorted { $1.chat.active < $0.chat.active }.map(\.id)
        let new = active.filter { !followed.contains($0) }.prefix(Self.followedLimit - followed.count)
        followed.formUnion(new)
        return Array(new)
    }

    private func followPresence(in chat: ChatID) async {
        do throws(SharingError) {
            var updates = await person.client.presence(in: chat).makeAsyncIterator()
            while let update = try await updates.next() {
                switch update {
                case .list(let users): online[chat] = users
                case .change(let change) where change.isOnline: online[chat, default: []].insert(change.user)
                case .change(let change): online[chat]?.remove(change.user)
                }
            }
        } catch {
            // The person left the chat, or the client ended.
        }
        online[chat] = nil
        followed.remove(chat)
    }
}
