#if Postgres
import YonderLibPQ
import YonderGeodesy
import YonderModel
import YonderRules

/// Runs a statement, and returns its rows: `PostgreSQLStore.answer` passes one that reads on a reader, `Transaction.query`
/// runs in the transaction.
///
/// - Throws: `unavailable` on a reader, ``LinkFailure`` in a transaction, which can then only be rolled back.
typealias Query = (Statement, [Parameter]) async throws -> [Row]

/// The statements and rows of the tables `chat`, `participant` and `span`: reading here, writing in `ChatTable+Writing.swift`.
///
/// The store's port (`PostgreSQLStore+Chats.swift`), `MessageReader` and `ChatEntry` call it, on a reader or in a
/// transaction. Functions throw what their query throws, and a ``SharingError`` where their line says so; a row whose ids
/// aren't valid is left out. Calling one again reads again.
///
/// The texts may be changed here: a statement is prepared by its name once on each connection, so no other process sees it.
/// Must stay: two texts of one name are the same; `columns` are counted from 0 in `chats(_:)` and its helpers; and the cost,
/// which `StatementCostTests` measures for every statement and a new one needs a `StoreQuestion` for. Names of columns are
/// those of `SchemaSteps` and of SQLite (decision 41).
enum ChatTable {
    /// A chat with the version of what a commit is decided by.
    struct Known: Sendable {
        /// The chat with the participants that were asked for.
        var chat: Chat

        /// The version, which every change raises that isn't a plain message.
        var version: Int64

        /// The shares whose positions can't be read any more, if they were asked for.
        fileprivate(set) var hidden: Set<ShareID> = []
    }

    /// Reads a chat with all of its participants, in one snapshot.
    ///
    /// - Throws: ``SharingError`` with code `unknownChat`.
    static func known(_ id: ChatID, _ query: Query) async throws -> Known {
        let rows = try await query(whole, [.int(id.rawValue)])
        guard let known = chats(rows).first else { throw SharingError.unknownChat }
        return known
    }

    /// Reads chats with all of their participants, in one snapshot; those that don't exist are missing.
    static func known(_ ids: [ChatID], _ query: Query) async throws -> [Known] {
        chats(try await query(several, [.ints(ids.map(\.rawValue))]))
    }

    /// Reads a chat with all of its participants, and what can't be read any more at `now`.
    ///
    /// - Throws: ``SharingError`` with code `unknownChat`.
    static func known(_ id: ChatID, at now: Timestamp, _ query: Query) async throws -> Known {
        let rows = try await query(wholeAndHidden, [.int(id.rawValue), .int(now.milliseconds)])
        guard var known = chats(rows).first else { throw SharingError.unknownChat }
        known.hidden = hidden(in: rows)
        return known
    }

    /// Reads a chat with only the reader as a participant, which is as fast in a large chat as in a small one.
    ///
    /// - Throws: ``SharingError`` with code `unknownChat` or `notParticipant`.
    static func known(_ id: ChatID, readBy user: UserID, at now: Timestamp, _ query: Query) async throws
        -> (Known, Participant)
    {
        let parameters: [Parameter] = [.int(id.rawValue), .int(user.rawValue), .int(now.milliseconds)]
        let rows = try await query(ofReader, parameters)
        guard var known = chats(rows).first else { throw SharingError.unknownChat }
        known.hidden = hidden(in: rows)
        return (known, try ChatRules.present(known.chat.participants.first))
    }

    private static func hidden(in rows: [Row]) -> Set<ShareID> {
        Set(rows.first?.ints(18).compactMap { ShareID($0) } ?? [])
    }

    /// The chats of a user behind a place, the one with the newest activity first.
    static func chats(of user: UserID, after place: ChatPlace?, limit: Int, _ query: Query) async throws
        -> [Chat]
    {
        let parameters: [Parameter] = [
            .int(user.rawValue), .int(place?.active.milliseconds ?? .max), .int(place?.chat.rawValue ?? .max),
            .int(Int64(max(0, limit))),
        ]
        return chats(try await query(ofUser, parameters)).map(\.chat).sorted(by: Chat.isListedBefore)
    }

    /// The last number of each chat of a user.
    static func lastNumbers(of user: UserID, _ query: Query) async throws -> [ChatID: Int64] {
        let rows = try await query(lastOfUser, [.int(user.rawValue)])
        let numbers = rows.compactMap { row in ChatID(row.int(0)).map { ($0, row.int(1)) } }
        return Dictionary(numbers) { first, _ in first }
    }

    /// The groups that an owner owns and in which a user is, by id.
    static func groups(of user: UserID, ownedBy owner: UserID, limit: Int, _ query: Query) async throws
        -> [ChatID]
    {
        let parameters: [Parameter] = [
            .int(user.rawValue), .int(owner.rawValue), .int(Int64(max(0, limit))),
        ]
        return try await query(owned, parameters).compactMap { ChatID($0.int(0)) }
    }

    /// The groups that a user stays out of, the one left last first.
    static func left(by user: UserID, limit: Int, _ query: Query) async throws -> [LeftGroup] {
        try await query(left, [.int(user.rawValue), .int(Int64(max(0, limit)))]).compactMap { row in
            ChatID(row.int(0)).map { LeftGroup(chat: $0, subject: row.text(1)) }
        }
    }

    /// By how many milliseconds the time of a message is below that of an earlier one, at most: 0 but for logs of earlier
    /// versions.
    static func stepBack(of chat: ChatID, _ query: Query) async throws -> Int64 {
        try await query(stepBack, [.int(chat.rawValue)]).first?.int(0) ?? 0
    }

    private static let stepBack = Statement(
        name: "stepBack",
        sql: "SELECT step_back FROM chat WHERE id = $1"
    )

    /// All present and former participants of a chat.
    static func people(in chat: ChatID, _ query: Query) async throws -> [UserID] {
        try await query(people, [.int(chat.rawValue)]).compactMap { UserID($0.int(0)) }
    }

    /// Whether a chat is the one-to-one chat of two users of whom one blocks the other.
    static func isClosed(_ chat: Chat, _ query: Query) async throws -> Bool {
        try await !closed(among: [chat], query).isEmpty
    }

    /// The one-to-one chats among these of which one user blocks the other.
    static func closed(among chats: [Chat], _ query: Query) async throws -> Set<ChatID> {
        let pairs = chats.filter { $0.isOneToOne && $0.participants.count == 2 }
        guard !pairs.isEmpty else { return [] }
        let parameters: [Parameter] = [
            .ints(pairs.map(\.id.rawValue)), .ints(pairs.map { $0.participants[0].user.rawValue }),
            .ints(pairs.map { $0.participants[1].user.rawValue }),
        ]
        return Set(try await query(blocks, parameters).compactMap { ChatID($0.int(0)) })
    }

    /// Makes chats of rows in the order of `order`: one row for each span of each participant.
    private static func chats(_ rows: [Row]) -> [Known] {
        var found: [Known] = []
        for row in rows {
            guard let id = ChatID(row.int(0)), let user = UserID(row.int(11)) else { continue }
            if found.last?.chat.id != id {
                found.append(Known(chat: chat(id, row), version: row.int(10)))
            }
            let place = found.count - 1
            let span = ParticipationSpan(first: row.int(14), last: row.optionalInt(15))
            let last = found[place].chat.participants.count - 1
            if last >= 0, found[place].chat.participants[last].user == user {
                found[place].chat.participants[last].spans.append(span)
            } else {
                found[place].chat.participants.append(participant(user, span, row))
            }
        }
        return found
    }

    private static func participant(_ user: UserID, _ span: ParticipationSpan, _ row: Row) -> Participant {
        var participant = Participant(
            user: user,
            role: .member,
            color: Int(row.int(13)),
            spans: [span],
            staysOut: row.optionalInt(16).map { since in
                StayingOut(since: Timestamp(milliseconds: since), subject: row.text(17))
            }
        )
        participant.setRole(word: row.text(12))
        return participant
    }

    private static func chat(_ id: ChatID, _ row: Row) -> Chat {
        var chat = Chat(
            id: id,
            isOneToOne: row.bool(1),
            subject: row.text(2),
            isSubjectLocked: row.bool(3),
            participants: [],
            first: row.int(5),
            last: row.int(6),
            written: row.int(7),
            active: Timestamp(milliseconds: row.int(8)),
            created: Timestamp(milliseconds: row.int(9))
        )
        chat.setPositions(word: row.text(4))
        return chat
    }

    private static let columns = """
        c.id, one_to_one, subject, subject_locked, positions, c.first, c.last, c.written, active, created, version,
        p.person, role, color, s.first, s.last, stays_out, left_subject
        """

    private static let tables = """
        FROM chat c JOIN participant p ON p.chat = c.id JOIN span s ON s.chat = p.chat AND s.person = p.person
        """

    private static let order = "ORDER BY c.id, place, s.first"

    /// SQL for the shares whose positions can't be read any more, and aren't erased yet.
    private static func hiddenShares(at now: String) -> String {
        """
        ARRAY(
            SELECT id FROM share WHERE chat = $1 AND keeping <> 'kept' AND NOT is_erased
            AND (ended IS NOT NULL OR until <= \(now))
        )
        """
    }

    private static let whole = Statement(
        name: "chat",
        sql: "SELECT \(columns) \(tables) WHERE c.id = $1 \(order)"
    )

    private static let several = Statement(
        name: "chats",
        sql: "SELECT \(columns) \(tables) WHERE c.id = ANY($1::bigint[]) \(order)"
    )

    private static let wholeAndHidden = Statement(
        name: "chatAndHidden",
        sql: "SELECT \(columns), \(hiddenShares(at: "$2")) \(tables) WHERE c.id = $1 \(order)"
    )

    private static let ofReader = Statement(
        name: "chatOfReader",
        sql:
            "SELECT \(columns), \(hiddenShares(at: "$3")) \(tables) WHERE c.id = $1 AND p.person = $2 \(order)"
    )

    private static let ofUser = Statement(
        name: "chatsOfUser",
        sql: """
            SELECT \(columns) \(tables)
            WHERE c.id IN (
                SELECT chat.id FROM participant JOIN chat ON chat.id = participant.chat
                WHERE person = $1 AND is_present AND (active < $2 OR active = $2 AND chat.id > $3)
                ORDER BY active DESC, chat.id LIMIT $4
            ) \(order)
            """
    )

    private static let lastOfUser = Statement(
        name: "lastNumbersOfUser",
        sql: """
            SELECT chat.id, last FROM participant JOIN chat ON chat.id = participant.chat
            WHERE person = $1 AND is_present
            """
    )

    /// A row if `$1` is in a chat in which the meeting `$3` with `$2` holds, by ``Meeting``'s numbers.
    static let meeting = Statement(
        name: "meeting",
        sql: """
            SELECT 1 FROM participant p JOIN participant o ON o.chat = p.chat AND o.person = $2
            JOIN chat c ON c.id = p.chat
            WHERE p.person = $1 AND p.is_present AND ($3::int8 = 0 OR o.is_present) AND ($3 < 2 OR NOT one_to_one)
            LIMIT 1
            """
    )

    private static let owned = Statement(
        name: "groupsOwnedBy",
        sql: """
            SELECT p.chat FROM participant p
            JOIN participant o ON o.chat = p.chat AND o.person = $2 AND o.is_present AND o.role = 'owner'
            JOIN chat c ON c.id = p.chat AND NOT one_to_one
            WHERE p.person = $1 AND p.is_present ORDER BY p.chat LIMIT $3
            """
    )

    private static let left = Statement(
        name: "leftGroups",
        sql: """
            SELECT chat, left_subject FROM participant WHERE person = $1 AND stays_out IS NOT NULL
            ORDER BY stays_out DESC, chat DESC LIMIT $2
            """
    )

    private static let people = Statement(
        name: "peopleOfChat",
        sql: "SELECT person FROM participant WHERE chat = $1"
    )

    private static let blocks = Statement(
        name: "blocksOfPairs",
        sql: """
            SELECT t.chat FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) t(chat, one, two) WHERE EXISTS (
                SELECT 1 FROM block WHERE person = t.one AND other = t.two OR person = t.two AND other = t.one
            )
            """
    )
}
#endif
