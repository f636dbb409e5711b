import YonderGeodesy
import YonderModel
import YonderWire

/// The messages about a chat's positions from now on: new ones, and what empties others; its list is the highest number so far.
///
/// `ChatPositions` opens one; `LiveFeed` has it and applies frames. It can't fail. After a reconnect it goes on from the
/// highest number, so that no message which empties another is missed; that must stay (decision 15, `PositionTests`).
struct PositionFeed: LiveList {
    private let base: MessageQuery
    private(set) var isCurrent = false
    private(set) var snapshot: Int64 = 0

    init(of chat: ChatID) {
        // With a time it is another query than the one for the last positions, which may be watched beside it.
        base = MessageQuery(chat: chat, tag: .location, from: Timestamp(milliseconds: 1), limit: 1)
    }

    var query: StreamQuery {
        guard isCurrent else { return .messages(base) }
        var query = base
        query.since = snapshot
        query.limit = MessageQuery.unlimited
        return .messages(query)
    }

    mutating func reopen() {}

    mutating func apply(_ frame: ServerFrame) -> LiveStep<Message> {
        switch frame {
        case .messages(let page):
            snapshot = max(snapshot, page.through)
            if isCurrent { return page.messages.isEmpty ? .nothing : .changes(page.messages) }
            isCurrent = page.isCurrent
            return isCurrent ? .list : .nothing
        case .message(_, let message):
            guard isCurrent, let number = message.number else { return .nothing }
            snapshot = max(snapshot, number)
            return .changes([message])
        default: return .nothing
        }
    }
}
