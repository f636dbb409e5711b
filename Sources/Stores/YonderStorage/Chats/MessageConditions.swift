import YonderGeodesy
import YonderModel
import YonderSQLite

/// Conditions on messages as SQL: one text for each kind of conditions, so that its statement is prepared once.
///
/// Every text names the index that it goes by. SQLite, which has no statistics, would go through the chat by number
/// instead, past every position.
///
/// `MessageReader` makes one for a query, and runs its text. Nothing throws. A new condition needs a term in `sql`, a
/// binding in the same order and an index that it goes by. The answers must be those of PostgreSQL's `MessageConditions`
/// and of `MessageFilter` (`MessageConditionsTests`, `StatementCostTests`; decision 40).
struct MessageConditions {
    /// The tags to select, or `nil` for any.
    private let tags: [MessageTag]?
    private let sender: UserID?
    private let from: Timestamp?
    private let to: Timestamp?

    /// The numbers among which all messages of these times are.
    private let numbers: Range<Int64>
    /// The tags whose messages all match, too.
    private let others: [MessageTag]

    /// Selects positions that have their data and haven't expired; `nil` selects any message.
    var remaining: Remaining?

    enum Remaining {
        /// The positions that arrived in the order of their times.
        case onTime
        /// The positions that arrived late, newest first.
        case late
    }

    /// Selects messages with these tags and of this sender, in the times of the filter, which only messages with these
    /// numbers have.
    init(
        _ filter: MessageFilter,
        tags: [MessageTag]?,
        sender: UserID?,
        or others: [MessageTag] = [],
        numbers: Range<Int64> = 0..<Int64.max
    ) {
        self.numbers = numbers
        self.tags = tags
        self.sender = sender
        from = filter.from
        to = filter.to
        self.others = others
    }

    /// The parameters are the chat, the lowest and the highest number, the limit, and those of ``bind(to:in:)``; for what
    /// ``remaining`` selects the eighth is the time.
    func sql(isAscending: Bool, isIndexed: Bool) -> String {
        """
        \(branches(isIndexed: isIndexed).joined(separator: " UNION ALL "))
        ORDER BY \(remaining == .late ? "late DESC," : "") number \(isAscending ? "ASC" : "DESC") LIMIT ?4
        """
    }

    /// Binds all but the chat, the limit and the time, over the messages with these numbers.
    func bind(to statement: Statement, in span: ClosedRange<Int64>) {
        statement.bind(span.lowerBound, at: 2)
        statement.bind(span.upperBound, at: 3)
        if hasTimes {
            statement.bind(max(span.lowerBound, numbers.lowerBound), at: 9)
            statement.bind(min(span.upperBound, numbers.upperBound - 1), at: 10)
        }
        if let sender { statement.bind(sender.rawValue, at: 5) }
        if let from { statement.bind(from.milliseconds, at: 6) }
        if let to { statement.bind(to.milliseconds, at: 7) }
        for (place, tag) in (bound ?? []).enumerated() {
            statement.bind(text: tag.rawValue, at: CInt(Self.firstTag + place))
        }
    }

    private static let firstTag = 11
    private var hasTimes: Bool { from != nil || to != nil }

    /// The tags with a parameter each: of the others all match, and not twice.
    private var bound: [MessageTag]? { tags?.filter { !others.contains($0) } }

    /// One `SELECT` for each tag, each in the order of an index, which SQLite merges.
    private func branches(isIndexed: Bool) -> [String] {
        guard let bound else {
            let terms = times + (sender == nil ? [] : ["sender = ?5"])
            guard !others.isEmpty, !terms.isEmpty else { return [branch(terms)] }
            let tags = others.map { "'\($0)'" }.joined(separator: ", ")
            return [branch(terms + ["tag NOT IN (\(tags))"])] + branches(of: others, isIndexed: isIndexed)
        }
        let index =
            sender == nil ? "messageByTag" : remaining == nil ? "messageBySender" : "messageByPosition"
        var branches = bound.indices.map { place in
            var terms = ["tag = ?\(Self.firstTag + place)"]
            if sender != nil { terms.append("sender = ?5") }
            if let remaining {
                // SQLite takes an index of positions for this text alone, not for a parameter.
                terms.append("tag = 'Location'")
                terms.append("late IS \(remaining == .late ? "NOT NULL" : "NULL")")
                terms.append("data IS NOT NULL AND (expires IS NULL OR expires > ?8)")
                // A position's time is ahead of its arrival by this at most: the index begins there.
                if remaining == .late, to != nil { terms.append("late < ?7 + \(Self.tolerance)") }
            }
            return branch(terms + times, isIndexed ? index : nil)
        }
        branches += self.branches(of: others, isIndexed: isIndexed)
        return branches.isEmpty ? [branch(["FALSE"])] : branches
    }

    private static let tolerance = Int64(Message.clockTolerance / .milliseconds(1))

    /// The messages with tags that match at any time.
    private func branches(of others: [MessageTag], isIndexed: Bool) -> [String] {
        others.map { tag in
            select("number BETWEEN ?2 AND ?3", ["tag = '\(tag)'"], isIndexed ? "messageByTag" : nil)
        }
    }

    private var times: [String] {
        [from.map { _ in "time >= ?6" }, to.map { _ in "time < ?7" }].compactMap(\.self)
    }

    private func branch(_ terms: [String], _ index: String? = nil) -> String {
        select(hasTimes ? "number BETWEEN ?9 AND ?10" : "number BETWEEN ?2 AND ?3", terms, index)
    }

    private func select(_ numbers: String, _ terms: [String], _ index: String?) -> String {
        let conditions = (["chat = ?1", numbers] + terms).joined(separator: " AND ")
        return """
            SELECT \(MessageRow.columns) FROM message \(index.map { "INDEXED BY \($0)" } ?? "") WHERE \(conditions)
            """
    }
}
