public import Observation
import YonderClient
public import YonderModel
import YonderWire

/// The person's contacts, and the start of a chat with one or several of them.
///
/// `PersonModels` makes it; the screen runs `run()` while it is shown, sets the fields and calls the buttons, on the main
/// actor. A button does nothing while ``isBusy``. Nothing throws: ``problem`` has the sentence, also if a chat couldn't be
/// started (`ContactsModelTests`).
///
/// A chat that the two have already is opened, and ``notice`` says so; of a group that was started without an answer the
/// server makes one only, as the request has a key. Which contacts are found is decided by `NameSearch`, words are in `Word`.
/// The order by name is the server's and must stay.
@MainActor @Observable
public final class ContactsModel {
    /// What the screen shows.
    public enum Content: Hashable, Sendable {
        /// A text: the contacts haven't come yet, or nobody is found.
        case note(String)
        /// There is no contact yet: a title and a hint.
        case none(title: String, hint: String)
        /// The contacts.
        case rows([ContactRow])
    }

    private enum Chore: Hashable, Sendable {
        case start([UserID], subject: String, isOneToOne: Bool)
    }

    /// The connection, to be shown above the list.
    public let connection: ConnectionModel

    /// The part of a name or address that is searched for, or nothing.
    public var search = ""

    /// The chat's subject as typed.
    public var subject = ""

    /// Whether a chat with one contact is the one of the two; otherwise it is a new group.
    public var isJustTwo = true

    /// Whether a chat is being started.
    public private(set) var isBusy = false

    /// Why the last chat wasn't started, or `nil`.
    public private(set) var problem: String?

    /// That the chat existed, or `nil`.
    public private(set) var notice: String?

    /// The chat to show, which was started or existed already.
    ///
    /// The screen sets it to `nil` when it has shown it.
    public var opened: ChatID?

    private var contacts: [User]?
    private var chosen: Set<UserID> = []
    private let person: SignedInUser
    private let context: AppContext
    private let chores = Chores<Chore>()

    /// Creates the model of a person's contacts.
    public init(of person: SignedInUser, _ context: AppContext) {
        (self.person, self.context) = (person, context)
        connection = ConnectionModel(person.client, context)
    }

    // MARK: - What the screen shows

    /// The title: *New chat*, or how many are chosen.
    public var title: String {
        choice.isEmpty ? context.say(.chatsNew) : context.say(.chatsSelected, count: choice.count)
    }

    /// What the screen shows.
    public var content: Content {
        guard let contacts else { return .note(context.say(.pageLoading)) }
        guard !contacts.isEmpty else {
            return .none(title: context.say(.contactsNone), hint: context.say(.contactsNoneHint))
        }
        let rows = rows
        return rows.isEmpty ? .note(context.say(.contactsNotFound)) : .rows(rows)
    }

    /// The contacts that are found, by name.
    public var rows: [ContactRow] {
        let search = NameSearch(search)
        return (contacts ?? []).filter { search.finds([$0.name, $0.email ?? ""]) }.map { user in
            ContactRow(
                id: user.id,
                name: user.name,
                email: user.email ?? "",
                isChosen: chosen.contains(user.id),
                face: Face(user)
            )
        }
    }

    /// Whether the choice between *just the two of us* and *a new group* is shown: one contact is chosen.
    public var offersKind: Bool { choice.count == 1 }

    /// Whether the field for the subject is shown: the chat will be a group.
    public var offersSubject: Bool { !isOneToOne }

    /// Whether a chat can be started.
    public var canStart: Bool { !choice.isEmpty && !isBusy }

    private var isOneToOne: Bool { choice.count == 1 && isJustTwo }

    /// The chosen contacts, by name, without chosen users that are no longer contacts.
    private var choice: [UserID] { (contacts ?? []).map(\.id).filter(chosen.contains) }

    // MARK: - Buttons

    /// Chooses a contact, or takes the choice back.
    public func choose(_ contact: UserID) {
        if chosen.remove(contact) == nil { chosen.insert(contact) }
        (problem, notice) = (nil, nil)
    }

    /// Starts the chat: ``opened`` is the chat then, or ``problem`` has the reason of the refusal.
    public func start() {
        guard canStart else { return }
        (isBusy, problem, notice) = (true, nil, nil)
        let subject = isOneToOne ? "" : subject.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        chores.add(.start(choice, subject: subject, isOneToOne: isOneToOne))
    }

    // MARK: - Running

    /// Follows the contacts until the task is canceled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.connection.run() }
            group.addTask { await self.follow() }
            group.addTask { await self.chores.run { await self.perform($0) } }
        }
    }

    private func perform(_ chore: Chore) async {
        defer { isBusy = false }
        switch chore {
        case .start(let invitees, let subject, let isOneToOne): await start(invitees, subject, isOneToOne)
        }
    }

    private func start(_ invitees: [UserID], _ subject: String, _ isOneToOne: Bool) async {
        do throws(SharingError) {
            let (chat, existed) = try await person.client.startChat(
                with: invitees,
                subject: subject,
                isOneToOne: isOneToOne
            )
            (chosen, self.subject, opened) = ([], "", chat.id)
            notice = existed ? context.say(.chatsExisted) : nil
        } catch {
            problem = context.say(error)
        }
    }

    private func follow() async {
        do throws(SharingError) {
            var updates = await person.client.contacts().makeAsyncIterator()
            while let update = try await updates.next() { take(update) }
        } catch {
            problem = context.say(error)
        }
    }

    private func take(_ update: LiveUpdate<[User], ContactChange>) {
        switch update {
        case .list(let list): contacts = list
        case .change(.removed(let user)): contacts?.removeAll { $0.id == user }
        case .change(.changed(let user)):
            var others = (contacts ?? []).filter { $0.id != user.id }
            let place = others.firstIndex { ($0.name, $0.id) > (user.name, user.id) } ?? others.endIndex
            others.insert(user, at: place)
            contacts = others
        }
    }
}
