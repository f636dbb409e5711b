#if Postgres
import YonderLibPQ
import YonderGeodesy
import YonderModel

/// A sender of positions in a chat.
///
/// Names and order of the index must stay as the statements have them; a plan without it visits every emptied position.
struct Mover: Hashable {
    let chat: ChatID
    let sender: UserID
}

/// Finds the newest positions of people in chats.
///
/// `ChatEntry` and the store's port `lastLocations` make one for each question, on a reader or in a transaction; asking
/// again reads again, and what the query throws is passed on.
///
/// Positions that aren't late came in the order of their times: the last of them that is left is the newest. Only if one was
/// taken back, a late one may be newer. Positions of hidden shares are skipped. Both statements are in the order of the
/// index `message_by_position`, so that PostgreSQL uses it: emptied positions aren't in it. `LastPositionPlanTests` looks at
/// their plans. Which of two positions is newer is decided by `Message.isNewer(than:)`, for SQLite, too.
struct LastPositions {
    /// The shares whose positions can't be read any more.
    let hidden: Set<ShareID>

    /// The server's time, by which messages have expired.
    let now: Timestamp

    /// Runs the statements.
    let query: Query

    /// At most one message for each of the senders.
    func messages(of movers: [Mover]) async throws -> [Mover: Message] {
        guard !movers.isEmpty else { return [:] }
        var found = try await onTime(of: movers)
        let times = movers.map { found[$0]?.moment.milliseconds ?? .min }
        for message in try await read(Self.late, movers, times) {
            let mover = Mover(chat: message.chat, sender: message.sender)
            guard let last = found[mover] else {
                found[mover] = message
                continue
            }
            if message.isNewer(than: last) { found[mover] = message }
        }
        return found
    }

    /// Goes back, four messages of each at a time, behind messages whose data has no position.
    private func onTime(of movers: [Mover]) async throws -> [Mover: Message] {
        var found: [Mover: Message] = [:]
        var below = Dictionary(movers.map { ($0, Int64.max) }, uniquingKeysWith: { one, _ in one })
        while !below.isEmpty {
            let asked = Array(below.keys)
            let messages = try await read(Self.onTime, asked, asked.map { below[$0] ?? .max })
            below = [:]
            let bySender = Dictionary(grouping: messages) { Mover(chat: $0.chat, sender: $0.sender) }
            for (mover, newest) in bySender {
                if let message = newest.first(where: { $0.position != nil }) {
                    found[mover] = message
                } else if newest.count == 4 {
                    below[mover] = newest.last?.number
                }
            }
        }
        return found
    }

    /// Asks for the messages of movers, each with the bound of its place in the array.
    private func read(_ statement: Statement, _ movers: [Mover], _ bounds: [Int64]) async throws -> [Message]
    {
        let parameters: [Parameter] = [
            .int(now.milliseconds), .ints(hidden.map(\.rawValue)), .ints(movers.map(\.chat.rawValue)),
            .ints(movers.map(\.sender.rawValue)), .ints(bounds),
        ]
        return try await query(statement, parameters).compactMap { row in
            ChatID(row.int(MessageTable.count)).flatMap { MessageTable.message(row, chat: $0) }
        }
    }

    private static func statement(_ name: String, _ condition: String, limit: Int) -> Statement {
        Statement(
            name: name,
            sql: """
                SELECT found.*, people.chat
                FROM unnest($3::bigint[], $4::bigint[], $5::bigint[]) AS people(chat, person, bound) CROSS JOIN LATERAL (
                    SELECT \(MessageTable.columns) FROM message
                    WHERE message.chat = people.chat AND sender = people.person AND tag = 'Location' AND \(condition)
                        AND data IS NOT NULL AND (expires IS NULL OR expires > $1)
                        AND coalesce(share, -1) <> ALL ($2::bigint[])
                    ORDER BY late DESC, number DESC LIMIT \(limit)
                ) AS found
                """
        )
    }

    /// The positions that came in order.
    static let onTime = statement("lastOnTime", "late IS NULL AND number < people.bound", limit: 4)

    /// The late positions.
    static let late = statement("newestLate", "late IS NOT NULL AND late >= people.bound", limit: 1)
}
#endif
