public import YonderModel
import YonderWire
import YonderJSON

/// A change of a list of messages.
public enum MessageChange: Hashable, Sendable {
    /// A message was added. With *latest*, it replaces the previous message of the same sender.
    case added(Message)
    /// A message was recalled; this is its new state. With *latest*, it leaves the list, and the message that counts now is
    /// added if there is one.
    case recalled(Message)
    /// A message that isn't stored arrived: it has no number and isn't in the list.
    case passed(Message)
    /// The server no longer has, or no longer returns, messages with lower numbers.
    case trimmed(below: Int64)
}

/// The messages that match a query, kept current; at most the query's limit, the newest.
struct MessageList: LiveList {
    private let base: MessageQuery
    private(set) var isCurrent = false

    /// The messages, oldest first; up to a quarter more than the limit, so that not every new message moves all others.
    private var messages: [Message] = []

    /// The number up to which every message was received, or `nil` before the first frame.
    private var through: Int64?

    /// Whether the newest message of a sender was recalled, so that the one that counts now is unknown.
    private var isIncomplete = false
    private(set) var mustAskAnew = false

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
        if let older = messages.first, older.number < page.first {
            messages.removeAll { $0.number < page.first }
            changes.append(.trimmed(below: page.first))
        }
        for message in page.messages { changes += take(message) }
        through = max(through ?? 0, page.through)
        if isIncomplete, !mustAskAnew { changes += complete(with: page) }
        guard !isCurrent else { return changes.isEmpty ? .nothing : .changes(changes) }
        isCurrent = page.isCurrent
        return isCurrent ? .list : .nothing
    }

    /// Removes what a new answer leaves out, as it was recalled meanwhile.
    private mutating func complete(with page: MessagesFrame) -> [MessageChange] {
        answered += page.messages
        guard page.isCurrent else { return [] }
        let numbers = Set(answered.map(\.number))
        let gone = messages.filter { $0.number <= page.through && !numbers.contains($0.number) }
        messages.removeAll { $0.number <= page.through && !numbers.contains($0.number) }
        var changes = gone.map { MessageChange.recalled($0.emptied(recalled: true)) }
        for message in answered { changes += take(message) }
        (isIncomplete, answered) = (false, [])
        return changes
    }

    private mutating func take(_ message: Message) -> [MessageChange] {
        guard message.number > 0 else { return [.passed(message)] }
        guard isNew(message) else { return [] }
        through = max(through ?? 0, message.number)
        var changes: [MessageChange] = []
        if let target = message.recalledNumber, let index = index(of: target) {
            changes.append(.recalled(recall(at: index)))
        }
        guard isListed(message), !isSuperseded(message) else { return changes }
        if base.latest { messages.removeAll { $0.sender == message.sender } }
        messages.insert(message, at: place(of: message.number))
        trim()
        return changes + [.added(message)]
    }

    /// Whether a message was not received before; after a recall an older one may be new.
    private func isNew(_ message: Message) -> Bool {
        if message.number > through ?? base.since { return true }
        return isIncomplete && index(of: message.number) == nil
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

    /// Whether a message belongs in the list: the server sends every `Recall`, and the list has those with the tag
    /// and sender that the query asks for.
    private func isListed(_ message: Message) -> Bool {
        message.tag != .recall
            || (base.tag == nil && !base.latest || base.tag == .recall)
                && (base.sender == nil || base.sender == message.sender)
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
        guard let last = messages.last, last.number >= number else { return messages.endIndex }
        var range = messages.startIndex..<messages.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range =
                messages[middle].number < number ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}

extension Message {
    /// The number of the recalled message, if this is a `Recall`.
    fileprivate var recalledNumber: Int64? {
        guard tag == .recall, let data else { return nil }
        return data.bytes.withUnsafeBytes { text in
            var scanner = JSONScanner(text)
            var number: Int64?
            try? scanner.object { scanner, key throws(JSONFault) in
                if key.equals("number", in: scanner.bytes) {
                    number = try scanner.integer()
                } else {
                    _ = try scanner.skipValue()
                }
            }
            return number
        }
    }
}
