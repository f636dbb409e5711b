#if Postgres
import YonderLibPQ
import YonderGeodesy
import YonderModel
import YonderRules

/// The statements and rows of the table `reading`: how far each participant has read each chat.
///
/// `ChatChange` sets and removes positions inside the transaction in which people come and go; `ChatWriter` moves them
/// forward, many in one call of `mark_v1`, on its own connection; lists of chats read them. A position never moves back, so
/// a mark that is sent twice moves it once.
///
/// `mark_v1` is a function of the database, which servers of other versions call, too: a change of it needs a new name
/// (`SchemaSteps`). ``ReadMark`` and ``ChatReading`` decide what is shown; `StatementCostTests` holds the cost.
enum ReadingTable {
    /// Stores how far participants have read a chat.
    static func set(_ position: ReadPosition, of users: [UserID], in chat: ChatID, _ transaction: Transaction)
        async throws
    {
        guard !users.isEmpty else { return }
        try await transaction.execute(
            setting,
            [
                .int(chat.rawValue), .ints(users.map(\.rawValue)), .int(position.number),
                .int(position.written),
            ]
        )
    }

    /// Removes the positions of participants who left a chat.
    static func remove(_ users: [UserID], from chat: ChatID, _ transaction: Transaction) async throws {
        guard !users.isEmpty else { return }
        try await transaction.execute(removal, [.int(chat.rawValue), .ints(users.map(\.rawValue))])
    }

    /// Moves read positions forward, in one call, and returns an outcome for each mark, in their order.
    ///
    /// With `isRepeat`, the same marks were sent before and their outcome isn't known: a position that is where a mark would
    /// move it then counts as moved.
    static func read(_ marks: [ReadMark], isRepeat: Bool, on link: Link) async throws(LinkFailure)
        -> [Result<ReadMark.Outcome, SharingError>]
    {
        let row = try await link.run(
            marking,
            [
                .ints(marks.map(\.chat.rawValue)), .ints(marks.map(\.reader.rawValue)),
                .ints(marks.map(\.number)),
            ]
        ).rows.first
        let people = Set(marks.map(\.reader.rawValue))
        let hiding = Set(try await link.run(hiding, [.ints(Array(people))]).rows.map { $0.int(0) })
        let (numbers, counts, moves) = (row?.ints(0) ?? [], row?.ints(1) ?? [], row?.ints(2) ?? [])
        return marks.indices.map { place in
            guard place < numbers.count else { return .failure(.storeFailed) }
            switch numbers[place] {
            case -1, -2: return .failure(.unknownChat)
            case -3: return .failure(SharingError(.notParticipant, "You left this chat."))
            default:
                let position = ReadPosition(number: numbers[place], written: counts[place])
                let isThere = isRepeat && position.number <= marks[place].number
                return .success(
                    ReadMark.Outcome(
                        position: position,
                        hasMoved: moves[place] == 1 || isThere,
                        isShown: !hiding.contains(marks[place].reader.rawValue)
                    )
                )
            }
        }
    }

    /// What lists of chats show beside each chat: its newest messages and the read positions.
    static func readings(of chats: [Chat], for reader: UserID?, now: Timestamp, _ query: Query) async throws
        -> [ChatID: ChatReading]
    {
        var readings = Dictionary(chats.map { ($0.id, ChatReading()) }, uniquingKeysWith: { one, _ in one })
        let ids = Parameter.ints(chats.map(\.id.rawValue))
        for row in try await query(newest, [ids]) {
            guard let chat = ChatID(row.int(MessageTable.count)),
                let message = MessageTable.message(row, chat: chat), !message.isExpired(at: now),
                let preview = MessagePreview(message)
            else { continue }
            readings[chat]?.newest.append(preview)
        }
        let whole = chats.filter { reader == nil || ChatReading.isMutual($0) }.map(\.id.rawValue)
        // Of a large chat, only the reader's own position: `-1` is nobody.
        let parameters: [Parameter] = [ids, .ints(whole), .int(reader?.rawValue ?? -1)]
        for row in try await query(positions, parameters) {
            guard let chat = ChatID(row.int(0)), let user = UserID(row.int(1)) else { continue }
            readings[chat]?.positions[user] = ReadPosition(number: row.int(2), written: row.int(3))
        }
        for row in try await query(hidden, parameters) {
            guard let chat = ChatID(row.int(0)), let user = UserID(row.int(1)) else { continue }
            readings[chat]?.hidden.insert(user)
        }
        return readings
    }

    private static let setting = Statement(
        name: "setReading",
        sql: """
            INSERT INTO reading (chat, person, number, written) SELECT $1, person, $3, $4
            FROM unnest($2::bigint[]) AS people(person)
            ON CONFLICT (chat, person) DO UPDATE SET number = excluded.number, written = excluded.written
            """
    )

    private static let removal = Statement(
        name: "removeReading",
        sql: "DELETE FROM reading WHERE chat = $1 AND person = ANY($2::bigint[])"
    )

    private static let marking = Statement(
        name: "mark_v1",
        sql: "SELECT numbers, counts, moves FROM mark_v1($1::bigint[], $2::bigint[], $3::bigint[])"
    )

    private static let hiding = Statement(
        name: "hidingReads",
        sql: "SELECT id FROM account WHERE id = ANY($1::bigint[]) AND NOT shows_reads"
    )

    private static let newest = Statement(
        name: "newestWritten",
        sql: """
            SELECT found.*, chats.id FROM unnest($1::bigint[]) AS chats(id) CROSS JOIN LATERAL (
                SELECT \(MessageTable.columns) FROM message
                WHERE chat = chats.id AND written IS NOT NULL ORDER BY number DESC LIMIT \(ChatReading.depth)
            ) AS found
            """
    )

    private static let positions = Statement(
        name: "readings",
        sql: """
            SELECT chat, person, number, written FROM reading
            WHERE chat = ANY($1::bigint[]) AND (chat = ANY($2::bigint[]) OR person = $3)
            """
    )

    private static let hidden = Statement(
        name: "hiddenReadings",
        sql: """
            SELECT chat, person FROM participant JOIN account ON account.id = person
            WHERE chat = ANY($1::bigint[]) AND NOT shows_reads AND (chat = ANY($2::bigint[]) OR person = $3)
            """
    )
}
#endif
