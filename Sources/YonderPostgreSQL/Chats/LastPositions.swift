#if Postgres
import YonderLibPQ
import YonderGeodesy
import YonderModel

/// Finds the newest positions of people in a chat.
///
/// Positions that aren't late came in the order of their times: the last of them that is left is the newest. Only if
/// one was taken back, a late one may be newer. Positions of hidden shares are skipped.
struct LastPositions {
    let chat: ChatID
    let hidden: Set<ShareID>
    let now: Timestamp
    let query: Query

    /// At most one message for each of the users.
    func messages(of users: [UserID]) async throws -> [UserID: Message] {
        guard !users.isEmpty else { return [:] }
        var found = try await onTime(of: users)
        let times = users.map { found[$0]?.moment.milliseconds ?? .min }
        for message in try await read(Self.late, users, times) {
            guard let last = found[message.sender] else {
                found[message.sender] = message
                continue
            }
            if message.isNewer(than: last) { found[message.sender] = message }
        }
        return found
    }

    /// Goes back, four messages of each at a time, behind messages whose data has no position.
    private func onTime(of users: [UserID]) async throws -> [UserID: Message] {
        var found: [UserID: Message] = [:]
        var below = Dictionary(users.map { ($0, Int64.max) }, uniquingKeysWith: { one, _ in one })
        while !below.isEmpty {
            let asked = Array(below.keys)
            let messages = try await read(Self.onTime, asked, asked.map { below[$0] ?? .max })
            below = [:]
            for (sender, newest) in Dictionary(grouping: messages, by: \.sender) {
                if let message = newest.first(where: { $0.position != nil }) {
                    found[sender] = message
                } else if newest.count == 4 {
                    below[sender] = newest.last?.number
                }
            }
        }
        return found
    }

    private func read(_ statement: Statement, _ users: [UserID], _ bounds: [Int64]) async throws -> [Message]
    {
        let parameters: [Parameter] = [
            .int(chat.rawValue), .int(now.milliseconds), .ints(hidden.map(\.rawValue)),
            .ints(users.map(\.rawValue)), .ints(bounds),
        ]
        return try await query(statement, parameters).compactMap { MessageTable.message($0, chat: chat) }
    }

    private static func statement(_ name: String, _ condition: String, _ order: String, limit: Int)
        -> Statement
    {
        Statement(
            name: name,
            sql: """
                SELECT found.* FROM unnest($4::bigint[], $5::bigint[]) AS people(person, bound) CROSS JOIN LATERAL (
                    SELECT \(MessageTable.columns) FROM message
                    WHERE chat = $1 AND sender = people.person AND tag = 'Location' AND \(condition)
                        AND data IS NOT NULL AND (expires IS NULL OR expires > $2)
                        AND coalesce(share, -1) <> ALL ($3::bigint[])
                    ORDER BY \(order) LIMIT \(limit)
                ) AS found
                """
        )
    }

    private static let onTime = statement(
        "lastOnTime",
        "late IS NULL AND number < people.bound",
        "number DESC",
        limit: 4
    )

    private static let late = statement(
        "newestLate",
        "late IS NOT NULL AND late >= people.bound",
        "late DESC, number DESC",
        limit: 1
    )
}
#endif
