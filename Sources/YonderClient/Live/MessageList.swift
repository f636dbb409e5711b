public import YonderModel
import YonderWire
import YonderJSON

/// A change of a list of messages.
public enum MessageChange: Hashable, Sendable {
    /// A message was added. With *latest*, it replaces the previous message of the same sender.
    case added(Message)
    /// A message was recalled; this is its new state.
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

    /// The messages, oldest first.
    private(set) var snapshot: [Message] = []

    /// The number up to which every message was received, or `nil` before the first frame.
    private var through: Int64?

    init(_ query: MessageQuery) {
        base = query
    }

    var query: StreamQuery {
        guard let through else { return .messages(base) }
        var query = base
        query.since = through
        query.limit = MessageQuery.unlimited
        return .messages(query)
    }

    mutating func reopen() {}

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
        if let older = snapshot.first, older.number < page.first {
            snapshot.removeAll { $0.number < page.first }
            changes.append(.trimmed(below: page.first))
        }
        for message in page.messages { changes += take(message) }
        through = max(through ?? 0, page.through)
        guard !isCurrent else { return changes.isEmpty ? .nothing : .changes(changes) }
        isCurrent = page.isCurrent
        return isCurrent ? .list : .nothing
    }

    private mutating func take(_ message: Message) -> [MessageChange] {
        guard message.number > 0 else { return [.passed(message)] }
        guard message.number > through ?? base.since else { return [] }
        through = message.number
        var changes: [MessageChange] = []
        if let target = message.recalledNumber, let index = index(of: target) {
            snapshot[index] = snapshot[index].emptied(recalled: true)
            changes.append(.recalled(snapshot[index]))
        }
        guard isListed(message), !isSuperseded(message) else { return changes }
        if base.latest { snapshot.removeAll { $0.sender == message.sender } }
        snapshot.append(message)
        trim()
        return changes + [.added(message)]
    }

    /// Whether the query asks for the latest message of each sender, and the list has a newer one of this sender
    /// that isn't recalled.
    private func isSuperseded(_ message: Message) -> Bool {
        guard base.latest else { return false }
        return snapshot.contains { known in
            known.sender == message.sender && !known.isRecalled && known.isNewer(than: message)
        }
    }

    /// Whether a message belongs in the list: the server sends every `Recall`, and the list has those with the tag
    /// and sender that the query asks for.
    private func isListed(_ message: Message) -> Bool {
        message.tag != .recall
            || (base.tag == nil || base.tag == .recall)
                && (base.sender == nil || base.sender == message.sender)
    }

    /// Up to a quarter more than the limit may accumulate, so that not every new message moves all others.
    private mutating func trim() {
        let limit = min(base.limit, MessageQuery.maximumLimit)
        if snapshot.count > limit + limit / 4 { snapshot.removeFirst(snapshot.count - limit) }
    }

    private func index(of number: Int64) -> Int? {
        var range = snapshot.startIndex..<snapshot.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if snapshot[middle].number == number { return middle }
            range =
                snapshot[middle].number < number ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
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
