#if Postgres
import YonderLibPQ
import YonderGeodesy
import YonderModel

/// Conditions as SQL behind the parameters `$1` chat, `$2` and `$3` the numbers from and to, `$4` limit.
///
/// `MessageReader` makes one for each query of messages and runs its statements on a reader, with the four parameters in
/// front of ``parameters``. Nothing here fails. What a query means is decided by `MessageFilter.matches`, which answers the
/// same for messages in memory.
///
/// One text for each set of conditions, so that its statement is prepared once on a connection: whatever changes the text
/// must change the name, by a letter of its own. Each text goes by an index in the order of the answer, so that what isn't
/// asked for isn't visited: `message_by_sender` with a tag, `message_by_tag` for all tags but `Location`, and the chat's
/// numbers for positions and for messages of any tag.
///
/// The answers must be those of SQLite's conditions (`StoreRule+Reading.swift`), the indexes those that
/// `StatementCostTests` expects (decision 40).
struct MessageConditions {
    private var terms: [String] = []
    private var name = ""
    private(set) var parameters: [Parameter] = []

    /// The tags whose messages all match, too.
    private var others: [MessageTag] = []

    /// The parameter with the tags of a sender, each of which is read by itself.
    private var tags: String?

    /// Takes the conditions of a filter.
    ///
    /// - Parameters:
    ///   - filter: The filter.
    ///   - used: The tags that the filter's sender ever used, if the filter has no tag.
    ///   - others: Tags of which all messages match, too.
    ///   - numbers: The numbers among which all messages of the filter's times are.
    init(
        _ filter: MessageFilter,
        used: [MessageTag]? = nil,
        or others: [MessageTag] = [],
        numbers: Range<Int64>? = nil
    ) {
        if let tag = filter.tag { add("T", "tag = #", .text(tag.rawValue)) }
        if let sender = filter.sender { add("S", "sender = #", .int(sender.rawValue)) }
        if let from = filter.from { add("F", "time >= #", .int(from.milliseconds)) }
        if let to = filter.to { add("U", "time < #", .int(to.milliseconds)) }
        if let numbers {
            add("B", "number >= #", .int(numbers.lowerBound))
            add("", "number < #", .int(numbers.upperBound))
        }
        if let tag = filter.tag, filter.sender == nil, tag != .location { add("V", "tag <> 'Location'") }
        guard !terms.isEmpty else { return }
        if let used, filter.tag == nil {
            tags = parameter(.texts(used.filter { !others.contains($0) }.map(\.rawValue)))
            name += "G"
        } else if !others.isEmpty {
            add("X", "tag NOT IN (\(others.map { "'\($0)'" }.joined(separator: ", ")))")
        }
        self.others = others
        name += others.isEmpty ? "" : "R\(others.count)"
    }

    /// Adds a condition; a `#` stands for the parameter.
    mutating func add(_ letter: String, _ term: String, _ parameter: Parameter? = nil) {
        let place = parameter.map { self.parameter($0) }
        terms.append(place.map { term.replacing("#", with: $0) } ?? term)
        name += letter
    }

    private mutating func parameter(_ parameter: Parameter) -> String {
        parameters.append(parameter)
        return "$\(parameters.count + 4)"
    }

    /// Messages by number.
    func messages(isAscending: Bool) -> Statement {
        let order = "number \(isAscending ? "ASC" : "DESC")"
        let name = "messages\(isAscending ? "Up" : "Down")\(name)"
        guard !others.isEmpty else { return Statement(name: name, sql: own(MessageTable.columns, order)) }
        let branches =
            [own(MessageTable.columns, order)]
            + others.map { select(MessageTable.columns, ["tag = '\($0)' AND tag <> 'Location'"], order) }
        return Statement(name: name, sql: Self.merged(branches, order))
    }

    /// The count of the newest, and the lowest number among them.
    var floor: Statement {
        Statement(
            name: "floor\(name)",
            sql: "SELECT count(*), min(number) FROM (\(own("number", "number DESC"))) AS found"
        )
    }

    /// The newest one of each sender in the array that is the last parameter, by an order.
    func newest(by order: String) -> Statement {
        let people = "unnest($\(parameters.count + 5)::bigint[]) AS people(person)"
        let select = select(MessageTable.columns, terms + ["sender = people.person"], order)
        return Statement(
            name: "newest\(name)\(order.first ?? "n")",
            sql: "SELECT found.* FROM \(people) CROSS JOIN LATERAL (\(select)) AS found"
        )
    }

    /// The newest one of each tag but `Location` of each sender in the array that is the last parameter.
    var newestOfTags: Statement {
        let people = "unnest($\(parameters.count + 5)::bigint[]) AS people(person)"
        let select = select(
            MessageTable.columns,
            terms + ["sender = people.person", "message.tag = used.tag"],
            "number DESC"
        )
        return Statement(
            name: "newestOfTags\(name)",
            sql: """
                SELECT found.* FROM \(people)
                CROSS JOIN LATERAL (\(Self.usedTags(of: "people.person")) AND tag <> 'Location') AS used
                CROSS JOIN LATERAL (\(select)) AS found
                """
        )
    }

    /// The tags that the sender `$2` ever used in the chat `$1`, at most `$3`: a look-up for each.
    static let tagsOfSender = Statement(name: "tagsOfSender", sql: usedTags(of: "$2") + " LIMIT $3")

    private static func usedTags(of sender: String) -> String {
        let next = { (behind: String) in
            "SELECT tag FROM message WHERE chat = $1 AND sender = \(sender) \(behind) ORDER BY tag LIMIT 1"
        }
        return """
            WITH RECURSIVE known(tag) AS (
                (\(next(""))) UNION ALL SELECT (\(next("AND tag > known.tag"))) FROM known WHERE known.tag IS NOT NULL
            ) SELECT tag FROM known WHERE tag IS NOT NULL
            """
    }

    /// What the filter itself selects.
    private func own(_ columns: String, _ order: String) -> String {
        guard let tags else { return select(columns, terms, order) }
        let select = select(columns, terms + ["message.tag = used.tag"], order)
        return """
            SELECT found.* FROM unnest(\(tags)::text[]) AS used(tag) CROSS JOIN LATERAL (\(select)) AS found
            ORDER BY \(order) LIMIT $4
            """
    }

    private func select(_ columns: String, _ terms: [String], _ order: String) -> String {
        let all = ["chat = $1 AND number BETWEEN $2 AND $3"] + terms
        return
            "SELECT \(columns) FROM message WHERE \(all.joined(separator: " AND ")) ORDER BY \(order) LIMIT $4"
    }

    private static func merged(_ branches: [String], _ order: String) -> String {
        let all = branches.map { "(\($0))" }.joined(separator: " UNION ALL ")
        return "SELECT * FROM (\(all)) AS found ORDER BY \(order) LIMIT $4"
    }
}
#endif
