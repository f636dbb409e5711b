#if Postgres
import YonderLibPQ
import YonderGeodesy
import YonderModel
import YonderRules
import YonderTables

// Reads chats for the cache: `ChatWriter` those that a commit needs and that aren't cached, `ChatChange` a locked one. A
// chat that isn't there is left out, or `unknownChat`; any other failure is the link's, and the commit is tried again.
// The order of the reads must stay, versions and numbers before all else: the commit sends both, so that whatever
// changed since makes it start over (decision 30, `AppendTests`). ``loadLimit`` may be changed.

extension ChatEntry {
    /// How many chats, and senders of positions, one statement reads.
    static let loadLimit = 200

    /// Reads a chat with its participants, shares and blocks.
    ///
    /// - Throws: ``SharingError`` with code `unknownChat`.
    static func load(_ chat: ChatID, _ query: Query) async throws -> ChatEntry {
        guard let entry = try await load([chat], query).first else { throw SharingError.unknownChat }
        return entry
    }

    /// Reads chats with their participants, shares and blocks.
    ///
    /// The versions are read first, so that a later write notices a change during the reads.
    ///
    /// - Returns: The chats that exist.
    static func load(_ chats: [ChatID], _ query: Query) async throws -> [ChatEntry] {
        let known = try await ChatTable.known(chats, query)
        let shares = Dictionary(grouping: try await ShareTable.shares(of: chats).rows(query), by: \.chat)
            .mapValues { Dictionary(grouping: $0, by: \.user) }
        let closed = try await ChatTable.closed(among: known.map(\.chat), query)
        let latest = try await MessageTable.newestTimes(of: chats, query)
        return known.map { known in
            let id = known.chat.id
            return ChatEntry(
                known,
                latest: latest[id],
                shares: shares[id] ?? [:],
                isClosed: closed.contains(id)
            )
        }
    }

    /// Reads the newest position of a sender, and the number of their last one that isn't late.
    static func readNewest(
        of sender: UserID,
        at now: Timestamp,
        in entry: ChatEntry,
        _ query: @escaping Query
    )
        async throws -> Newest
    {
        let mover = Mover(chat: entry.chat.id, sender: sender)
        let newest = try await readNewest(of: [(mover, entry)], at: now, query)
        return newest[mover] ?? Newest(position: nil, number: 0)
    }

    /// Reads the newest positions of senders, and the numbers of their last ones that aren't late.
    ///
    /// The numbers are read first, so that the commit notices a position that is written in between.
    ///
    /// - Parameters:
    ///   - movers: The senders, each with its chat.
    ///   - now: The time at which positions must be readable.
    ///   - query: Runs statements.
    /// - Returns: A value for each sender.
    /// - Throws: ``LinkFailure``.
    static func readNewest(of movers: [(Mover, ChatEntry)], at now: Timestamp, _ query: @escaping Query)
        async throws -> [Mover: Newest]
    {
        let all = movers.map(\.0)
        let parameters: [Parameter] = [
            .ints(all.map(\.chat.rawValue)), .ints(all.map(\.sender.rawValue)),
        ]
        var found = Dictionary(
            all.map { ($0, Newest(position: nil, number: 0)) },
            uniquingKeysWith: { one, _ in one }
        )
        for row in try await query(lastNumbers, parameters) {
            guard let chat = ChatID(row.int(0)), let sender = UserID(row.int(1)) else { continue }
            found[Mover(chat: chat, sender: sender)]?.number = row.int(2)
        }
        let hidden = movers.flatMap { mover, entry in
            (entry.shares[mover.sender] ?? []).filter { !$0.isReadable(at: now) }.map(\.id)
        }
        let positions = LastPositions(hidden: Set(hidden), now: now, query: query)
        for (mover, message) in try await positions.messages(of: all) {
            found[mover]?.position = NewestPosition(message)
        }
        return found
    }

    private static let lastNumbers = Statement(
        name: "locationLast",
        sql: """
            SELECT l.chat, l.sender, l.number FROM unnest($1::bigint[], $2::bigint[]) t(chat, sender)
            CROSS JOIN LATERAL (
                SELECT * FROM location_last WHERE chat = t.chat AND sender = t.sender OFFSET 0
            ) l
            """
    )
}
#endif
