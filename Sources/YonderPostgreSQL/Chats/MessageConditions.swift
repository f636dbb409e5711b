#if Postgres
import YonderLibPQ
import YonderGeodesy
import YonderModel

/// Conditions as SQL behind the parameters `$1` chat, `$2` and `$3` the numbers from and to, `$4` limit.
///
/// One text for each set of conditions, so that its statement is prepared once on a connection.
struct MessageConditions {
    private var terms: [String] = []
    private var name = ""
    private(set) var parameters: [Parameter] = []

    /// Takes the conditions of a filter; of the `others` all match, too.
    init(_ filter: MessageFilter, or others: [MessageTag] = []) {
        if let tag = filter.tag { add("T", "tag = #", .text(tag.rawValue)) }
        if let sender = filter.sender { add("S", "sender = #", .int(sender.rawValue)) }
        if let from = filter.from { add("F", "time >= #", .int(from.milliseconds)) }
        if let to = filter.to { add("U", "time < #", .int(to.milliseconds)) }
        if !others.isEmpty, !terms.isEmpty {
            let tags = others.map { "'\($0)'" }.joined(separator: ", ")
            terms = ["(tag IN (\(tags)) OR (\(terms.joined(separator: " AND "))))"]
            name += others.count > 1 ? "RE" : "R"
        } else if let tag = filter.tag {
            narrow(to: tag)
        }
    }

    /// Names the index that a tag's messages are in; positions are in none, as most messages are such.
    private mutating func narrow(to tag: MessageTag) {
        if tag.isWritten {
            add("W", "written IS NOT NULL")
        } else if tag != .location {
            add("V", "written IS NULL AND tag <> 'Location'")
        }
    }

    /// Adds a condition; a `#` stands for the parameter.
    mutating func add(_ letter: String, _ term: String, _ parameter: Parameter? = nil) {
        if let parameter {
            parameters.append(parameter)
            terms.append(term.replacing("#", with: "$\(parameters.count + 4)"))
        } else {
            terms.append(term)
        }
        name += letter
    }

    private var sql: String {
        let all = ["chat = $1 AND number BETWEEN $2 AND $3"] + terms
        return "FROM message WHERE \(all.joined(separator: " AND "))"
    }

    /// Messages by number.
    func messages(isAscending: Bool) -> Statement {
        Statement(
            name: "messages\(isAscending ? "Up" : "Down")\(name)",
            sql:
                "SELECT \(MessageTable.columns) \(sql) ORDER BY number \(isAscending ? "ASC" : "DESC") LIMIT $4"
        )
    }

    /// The count of the newest, and the lowest number among them.
    var floor: Statement {
        Statement(
            name: "floor\(name)",
            sql:
                "SELECT count(*), min(number) FROM (SELECT number \(sql) ORDER BY number DESC LIMIT $4) AS found"
        )
    }

    /// The newest one of each sender in the array that is the last parameter, by an order.
    func newest(by order: String) -> Statement {
        Statement(
            name: "newest\(name)\(order.first ?? "n")",
            sql: """
                SELECT found.* FROM unnest($\(parameters.count + 5)::bigint[]) AS people(person) CROSS JOIN LATERAL (
                    SELECT \(MessageTable.columns) \(sql) AND sender = people.person ORDER BY \(order) LIMIT $4
                ) AS found
                """
        )
    }
}
#endif
