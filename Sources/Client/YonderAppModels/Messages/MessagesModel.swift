public import Observation
import YonderClient
import YonderGeodesy
public import YonderModel
import YonderWire

/// The messages below a chat's map: bubbles, the first unread one, and a field to write the next one.
///
/// What the model lists while it runs counts as read.
///
/// `PersonModels` makes one for a chat's screen, whose view runs ``run()`` while it is shown, sets ``draft`` and
/// ``isInView``, and calls ``send()``, on the main actor. Nothing throws: ``problem`` has the sentence. A message that is
/// sent stands at the end of ``bubbles`` at once; one that waits is in the client's outbox, and is sent also after the
/// screen was left. What counts as written and as unread is decided in `YonderModel` (decision 20, `MessagesModelTests`).
///
/// ``limit`` and ``unsentLimit`` may change here. That nothing counts as read while another screen is shown must stay.
@MainActor @Observable
public final class MessagesModel {
    /// What the screen shows.
    public enum Content: Hashable, Sendable {
        /// A text: the messages haven't come yet, or can't be read.
        case note(String)
        /// There is no message yet: a title and a hint.
        case none(title: String, hint: String)
        /// The messages, the newest one last.
        case bubbles([Bubble])
    }

    private struct Unsent: Hashable, Sendable {
        let key: Int
        let text: String

        /// The number of the message that the server has stored, and that isn't in the list yet.
        var number: Int64?
    }

    /// The most messages that are listed: the newest.
    public static let limit = 200

    /// The most messages that wait to be sent; the button is disabled then.
    public static let unsentLimit = 20

    /// The next message as typed.
    public var draft = ""

    /// Why the messages can't be read or the last one wasn't sent, or `nil`.
    public private(set) var problem: String?

    private var messages: [Message]?
    private var unsent: [Unsent] = []
    private var chat: NamedChat?

    /// What was read and how many messages were new when the model first listed the chat.
    private var opening: (read: Int64, new: Int)?
    @ObservationIgnored private var lastKey = 0
    private let id: ChatID
    private let person: SignedInUser
    private let context: AppContext
    /// Receives a value whenever the app comes to view.
    @ObservationIgnored private var views: AsyncStream<Void>.Continuation?
    private let ticker: Ticker
    private let chores = Chores<Unsent>()

    /// Creates the model of a chat's messages.
    public init(of chat: ChatID, for person: SignedInUser, _ context: AppContext) {
        (id, self.person, self.context) = (chat, person, context)
        ticker = Ticker(context)
    }

    /// Whether the app is in view; a view sets it.
    ///
    /// Out of view, as in a pocket, messages arrive and aren't marked as read.
    public var isInView = true {
        didSet { if isInView, !oldValue { views?.yield() } }
    }

    // MARK: - What the screen shows

    /// What the screen shows.
    public var content: Content {
        guard messages != nil else { return .note(problem ?? context.say(.pageLoading)) }
        let bubbles = bubbles
        guard bubbles.isEmpty else { return .bubbles(bubbles) }
        return .none(title: context.say(.messagesNone), hint: context.say(.messagesNoneHint))
    }

    /// The messages, the newest one last; behind them those that wait to be sent.
    public var bubbles: [Bubble] {
        let first = (messages ?? []).first { isUnread($0) && $0.sender != person.id }
        return (messages ?? []).map { bubble($0, isFirstNew: $0.number == first?.number) }
            + unsent.map(bubble)
    }

    /// Whether the message can be sent: it has a letter, and not too many wait.
    public var canSend: Bool { !draft.allSatisfy(\.isWhitespace) && unsent.count < Self.unsentLimit }

    /// Whether a message came after those that the person had read when the messages were opened.
    private func isUnread(_ message: Message) -> Bool {
        guard let read = opening?.read, let number = message.number else { return false }
        return number > read
    }

    private func bubble(_ message: Message, isFirstNew: Bool) -> Bubble {
        let isOwn = message.sender == person.id
        let author = chat?.users[message.sender]?.name ?? ""
        let (text, time) = (text(of: message), context.dayText(message.time, at: ticker.now))
        return Bubble(
            id: message.number.map(String.init) ?? "",
            author: isOwn ? "" : author,
            text: text,
            time: time,
            isOwn: isOwn,
            mark: isFirstNew ? context.say(.messagesNew, count: opening?.new) : nil,
            spoken: spoken(text, isOwn ? nil : author, time)
        )
    }

    private func bubble(_ unsent: Unsent) -> Bubble {
        let time = context.say(.messagesWaiting)
        return Bubble(
            id: "unsent \(unsent.key)",
            author: "",
            text: unsent.text,
            time: time,
            isOwn: true,
            mark: nil,
            spoken: spoken(unsent.text, nil, time)
        )
    }

    private static func trimmed(_ text: String) -> String {
        let start = text.drop(while: \.isWhitespace)
        let end = start.lastIndex { !$0.isWhitespace }
        return end.map { String(start[...$0]) } ?? ""
    }

    private func text(of message: Message) -> String {
        if message.isRecalled { return context.say(.messagesTakenBack) }
        return message.content.isEmpty ? context.say(.messagesExpired) : message.content
    }

    private func spoken(_ text: String, _ author: String?, _ time: String) -> String {
        let said =
            author.map { context.say(.messagesWrote, ["name": $0, "text": text]) }
            ?? context.say(.messagesYouWrote, ["text": text])
        return "\(said), \(time)"
    }

    // MARK: - Buttons

    /// Sends the message that is typed; without a connection it is sent when there is one.
    public func send() {
        guard canSend else { return }
        lastKey += 1
        let message = Unsent(key: lastKey, text: Self.trimmed(draft))
        unsent.append(message)
        (draft, problem) = ("", nil)
        chores.add(message)
    }

    // MARK: - Running

    /// Follows the messages, and marks them as read, until the task is canceled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.ticker.run() }
            group.addTask { await self.followViews() }
            group.addTask { await self.followChat() }
            group.addTask { await self.followMessages() }
            group.addTask { await self.chores.run { await self.perform($0) } }
        }
    }

    private func perform(_ message: Unsent) async {
        do throws(SharingError) {
            let sent = try await person.client.send(MessageDraft(tag: .text, content: message.text), to: id)
            stored(message, as: sent.id.number)
        } catch {
            // A message whose screen was left is in the outbox, and is sent from there.
            if !Task.isCancelled { refused(message, error) }
            unsent.removeAll { $0.key == message.key }
        }
    }

    /// The server's answer and the message come by two ways, in any order; the bubble stays until the message is in the list.
    private func stored(_ message: Unsent, as number: Int64?) {
        guard let index = unsent.firstIndex(where: { $0.key == message.key }) else { return }
        if let number, number > messages?.last?.number ?? 0 {
            unsent[index].number = number
        } else {
            unsent.remove(at: index)
        }
    }

    private func refused(_ message: Unsent, _ error: SharingError) {
        problem = context.say(error)
        if draft.isEmpty { draft = message.text }
    }

    private func followChat() async {
        await report { () async throws(SharingError) in
            var updates = await person.client.chats().makeAsyncIterator()
            while let update = try await updates.next() {
                switch update {
                case .list(let chats): chat = chats.first { $0.id == id } ?? chat
                case .change(.changed(let changed)) where changed.id == id: chat = changed
                case .change: continue
                }
                await markRead()
            }
        }
    }

    /// Marks what has come meanwhile as read whenever the app comes to view.
    private func followViews() async {
        let (news, views) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.views = views
        for await _ in news { await markRead() }
    }

    private func followMessages() async {
        await report { () async throws(SharingError) in
            var updates = await person.client.messages(
                in: id,
                where: .tagged(.text),
                limit: Self.limit
            ).makeAsyncIterator()
            while let update = try await updates.next() {
                take(update)
                ticker.tick()
                await markRead()
            }
        }
    }

    /// Reads until the task is canceled; an end by the server is the screen's problem.
    private func report(_ read: () async throws(SharingError) -> Void) async {
        do throws(SharingError) {
            try await read()
        } catch {
            if !Task.isCancelled { problem = context.say(error) }
        }
    }

    private func take(_ update: LiveUpdate<[Message], MessageChange>) {
        switch update {
        case .list(let list): messages = list
        case .change(.added(let message)): add(message)
        case .change(.recalled(let message)):
            let index = messages?.firstIndex { $0.number == message.number }
            if let index { messages?[index] = message }
        case .change(.trimmed(let number)): messages?.removeAll { $0.isBefore(number) }
        case .change(.passed): break
        }
    }

    private func add(_ message: Message) {
        messages = ((messages ?? []) + [message]).suffix(Self.limit)
        guard message.sender == person.id else { return }
        let index =
            unsent.firstIndex { $0.number == message.number }
            ?? unsent.firstIndex { $0.text == message.content }
        if let index { unsent.remove(at: index) }
    }

    private func markRead() async {
        guard isInView else { return }
        guard let chat, let last = messages?.last?.number else { return }
        if opening == nil {
            opening = (chat.view?.read.number ?? last, chat.unread(for: person.id))
        }
        guard last > chat.view?.read.number ?? 0 else { return }
        await person.client.markRead(id, upTo: last)
    }
}
