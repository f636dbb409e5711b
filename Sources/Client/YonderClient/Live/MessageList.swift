public import YonderModel
import YonderWire

/// A change of a list of messages.
public enum MessageChange: Hashable, Sendable {
    /// A message was added. With *latest*, it replaces the previous message of the same sender.
    case added(Message)
    /// A message was recalled, or is a position of an expiring share that ended; this is its new state. With *latest*, it
    /// leaves the list, and the message that counts now is added if there is one.
    case recalled(Message)
    /// A message that isn't stored arrived: it has no number and isn't in the list.
    case passed(Message)
    /// The server no longer has, or no longer returns, messages with lower numbers.
    case trimmed(below: Int64)
}

/// The messages that match a query, kept current; at most the query's limit, the newest.
///
/// A `LiveFeed` has one, and applies the frames of its subscription in their order; after a connection was lost it asks from
/// ``through`` on. A plain value; nothing throws. A message that comes twice is in the list once. Where only the server
/// knows what counts, ``mustAskAnew`` says so, and the feed subscribes anew. A list must equal a fresh answer at any time
/// (`MessageListTests`, `make test-sdk-model`).
///
/// The quarter beyond the limit may change: it decides how often old messages are dropped.
struct MessageList: LiveList {
    private let base: MessageQuery
    private(set) var isCurrent = false

    /// The messages, oldest first; up to a quarter more than the limit, so that not every new message moves all others.
    private var messages: [Message] = []

    /// The number up to which every message was received, or `nil` before the first frame.
    private var through: Int64?

    /// Whether only a new answer says what counts: the newest message of a sender was recalled, or positions can't be read
    /// any more.
    private var isIncomplete = false
    private(set) var mustAskAnew = false

    /// The number up to which a new answer leaves out what can't be read any more.
    private var askedThrough: Int64 = 0

    /// The messages of a new answer, as far as it has arrived.
    private var answered: [Message] = []

    init(_ query: MessageQuery) {
        base = query
    }

    /// The messages, oldest first.
    var snapshot: [Message] { messages.count > limit ? Array(messages.suffix(limit)) : messages }

    private var limit: Int { min(base.limit, MessageQuery.maximumLimit) }

    var query: StreamQuery {
        guard let through, !isIncomplete else { return .messages(base) }
        var query = base
        query.since = through
        query.limit = MessageQuery.unlimited
        return .messages(query)
    }

    mutating func reopen() {
        if isIncomplete { askedThrough = through ?? 0 }
        mustAskAnew = false
        answered = []
    }

    mutating func apply(_ frame: ServerFrame) -> LiveStep<MessageChange> {
        switch frame {
        case .messages(let page): apply(page)
        case .message(_, let message): isCurrent ? .changes(take(message)) : skipUntilCurrent(message)
        default: .nothing
        }
    }

    private mutating func skipUntilCurrent(_ message: Message) -> LiveStep<MessageChange> {
        _ = take(message)
        return .nothing
    }

    private mutating func apply(_ page: MessagesFrame) -> LiveStep<MessageChange> {
        var changes: [MessageChange] = []
        if messages.first?.isBefore(page.first) ?? false {
            messages.removeAll { $0.isBefore(page.first) }
            changes.append(.trimmed(below: page.first))
        }
        for message in page.messages { changes += take(message) }
        through = max(through ?? 0, page.through)
        if isIncomplete, !mustAskAnew { changes += complete(with: page) }
        guard !isCurrent else { return changes.isEmpty ? .nothing : .changes(changes) }
        isCurrent = page.isCurrent
        return isCurrent ? .list : .nothing
    }

    /// Removes what a new answer leaves out, as it was recalled meanwhile, and empties what it has without content.
    private mutating func complete(with page: MessagesFrame) -> [MessageChange] {
        answered += page.messages
        guard page.isCurrent else { return [] }
        let numbers = Set(answered.compactMap(\.number))
        let first = answered.count < limit ? 0 : numbers.min() ?? 0
        let isGone = { (message: Message) in
            message.number.map { $0 >= first && $0 <= page.through && !numbers.contains($0) } ?? false
        }
        var changes = messages.filter(isGone).map { MessageChange.recalled($0.emptied(recalled: true)) }
        messages.removeAll(where: isGone)
        for message in answered { changes += take(message) + empty(as: message) }
        (isIncomplete, answered) = (false, [])
        return changes
    }

    /// Empties a listed message that the server sends without content and data; with *latest*, it leaves the list.
    private mutating func empty(as message: Message) -> [MessageChange] {
        guard message.isEmpty, let number = message.number, let index = index(of: number),
            !messages[index].isEmpty
        else { return [] }
        if base.latest { messages.remove(at: index) } else { messages[index] = message }
        return [.recalled(message)]
    }

    private mutating func take(_ message: Message) -> [MessageChange] {
        guard let number = message.number else { return [.passed(message)] }
        guard isNew(number) else { return [] }
        through = max(through ?? 0, number)
        var changes: [MessageChange] = []
        switch message.emptying {
        case .message(let number):
            if let index = index(of: number) { changes.append(.recalled(recall(at: index))) }
        case .positions(of: let user):
            // A first answer leaves out already what can't be read any more.
            if isCurrent, number > askedThrough, hasPosition(of: user) {
                (isIncomplete, mustAskAnew) = (true, true)
            }
        case nil: break
        }
        guard isListed(message), !isSuperseded(message) else { return changes }
        if base.latest { messages.removeAll { $0.sender == message.sender } }
        messages.insert(message, at: place(of: number))
        trim()
        return changes + [.added(message)]
    }

    /// Whether a message was not received before; after a recall an older one may be new.
    private func isNew(_ number: Int64) -> Bool {
        if number > through ?? base.since { return true }
        return isIncomplete && index(of: number) == nil
    }

    /// Empties a message; with *latest*, it leaves the list, too.
    private mutating func recall(at index: Int) -> Message {
        let emptied = messages[index].emptied(recalled: true)
        guard base.latest else {
            messages[index] = emptied
            return emptied
        }
        messages.remove(at: index)
        (isIncomplete, mustAskAnew) = (true, true)
        return emptied
    }

    /// Whether the query asks for the latest message of each sender, and this one isn't it: it is recalled, or the list has
    /// a newer one.
    private func isSuperseded(_ message: Message) -> Bool {
        guard base.latest else { return false }
        return message.isRecalled
            || messages.contains { $0.sender == message.sender && $0.isNewer(than: message) }
    }

    private func hasPosition(of user: UserID) -> Bool {
        messages.contains { $0.sender == user && $0.tag == .location && !$0.isEmpty }
    }

    /// Whether a message belongs in the list: the server sends also what empties others, and the list has of that what the
    /// query asks for.
    private func isListed(_ message: Message) -> Bool {
        guard base.filter.emptying.contains(message.tag) else { return true }
        let isAsked = base.tag == nil ? !base.latest || message.tag != .recall : base.tag == message.tag
        return isAsked && (base.sender == nil || base.sender == message.sender)
    }

    private mutating func trim() {
        if messages.count > limit + limit / 4 { messages.removeFirst(messages.count - limit) }
    }

    private func index(of number: Int64) -> Int? {
        let place = place(of: number)
        return place < messages.endIndex && messages[place].number == number ? place : nil
    }

    /// The first index whose number is `number` or above; most messages come at the end.
    private func place(of number: Int64) -> Int {
        guard let last = messages.last?.number, last >= number else { return messages.endIndex }
        var range = messages.startIndex..<messages.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let isBefore = messages[middle].isBefore(number)
            range = isBefore ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
