#if Postgres
import YonderLibPQ
import YonderGeodesy
import YonderModel
import YonderRules

// Writing, in transactions that lock the chat's row first: the one that has the lock decides alone. `ChatChange` calls
// it for what isn't a plain message, `append_v2` of `SchemaSteps` does the same for plain messages, and
// `BlockingTransaction` inserts new chats. A failure leaves a transaction that can only be rolled back. Each change of
// what a commit is decided by must raise the version, or other processes decide by the chat in their memory (decision
// 30, `PostgreSQLNodeTests`). The order of locks must stay: accounts, the chat, then its parts.
extension ChatTable {
    /// The part of a chat's row that changes with every message.
    struct Head: Sendable {
        /// The version of everything else that a commit is decided by.
        let version: Int64

        /// The number of the first message that the chat keeps.
        let first: Int64

        /// The number of the last message.
        let last: Int64

        /// How many messages people have written.
        let written: Int64

        /// The time of the last activity.
        let active: Timestamp
    }

    /// Locks a chat's row until the transaction ends.
    ///
    /// - Returns: The row, or `nil` if there is none.
    static func lock(_ chat: ChatID, _ transaction: Transaction) async throws -> Head? {
        try await transaction.query(locking, [.int(chat.rawValue)]).first.map { row in
            Head(
                version: row.int(0),
                first: row.int(1),
                last: row.int(2),
                written: row.int(3),
                active: Timestamp(milliseconds: row.int(4))
            )
        }
    }

    /// Raises the version of a chat, so that every process reads it again before it decides by it.
    static func raiseVersion(of chat: ChatID, _ transaction: Transaction) async throws {
        try await transaction.execute(raising, [.int(chat.rawValue)])
    }

    /// The statements that write a new chat, with their parameters.
    static func inserting(_ chat: Chat) -> [(Statement, [Parameter])] {
        let row = (
            insertion,
            [
                .int(chat.id.rawValue), .bool(chat.isOneToOne), .text(chat.subject),
                .bool(chat.isSubjectLocked), .text(chat.positionsWord), .int(chat.first),
                .int(chat.last),
                .int(chat.written), .int(chat.active.milliseconds), .int(chat.created.milliseconds),
            ] as [Parameter]
        )
        return [row] + saving(Array(chat.participants.enumerated()), in: chat.id)
    }

    /// Writes what a decision changed of the chat's row, which the transaction has locked.
    static func update(_ chat: Chat, raisesVersion: Bool, _ transaction: Transaction) async throws {
        try await transaction.execute(
            updating,
            [
                .int(chat.id.rawValue), .text(chat.subject), .bool(chat.isSubjectLocked),
                .text(chat.positionsWord), .int(chat.last), .int(chat.written),
                .int(chat.active.milliseconds), .int(raisesVersion ? 1 : 0),
            ]
        )
    }

    /// Writes participants with their places, and the last span of each: earlier ones are unchanged.
    static func save(
        _ people: [(offset: Int, element: Participant)],
        in chat: ChatID,
        _ transaction: Transaction
    ) async throws {
        guard !people.isEmpty else { return }
        for (statement, parameters) in saving(people, in: chat) {
            try await transaction.execute(statement, parameters)
        }
    }

    /// The statements that write participants and their last spans, with their parameters.
    private static func saving(_ people: [(offset: Int, element: Participant)], in chat: ChatID) -> [(
        Statement, [Parameter]
    )] {
        let participants = people.map(\.element)
        let users = Parameter.ints(participants.map(\.user.rawValue))
        return [
            (
                savingParticipants,
                [
                    .int(chat.rawValue), users, .ints(people.map { Int64($0.offset) }),
                    .texts(participants.map(\.roleWord)), .ints(participants.map { Int64($0.color) }),
                    .ints(participants.map { $0.isPresent ? 1 : 0 }),
                    .optionalInts(participants.map { $0.staysOut?.since.milliseconds }),
                    .texts(participants.map { $0.staysOut?.subject }),
                ]
            ),
            (
                savingSpans,
                [
                    .int(chat.rawValue), users, .ints(participants.map { $0.spans.last?.first ?? 1 }),
                    .optionalInts(participants.map { $0.spans.last?.last }),
                ]
            ),
        ]
    }

    /// Lets a user be added to a group again.
    ///
    /// - Throws: ``SharingError`` with code `unknownChat` if the user never was in it.
    static func stopStayingOut(of chat: ChatID, by user: UserID, _ transaction: Transaction) async throws {
        _ = try await lock(chat, transaction)
        let count = try await transaction.execute(comingBack, [.int(chat.rawValue), .int(user.rawValue)])
        guard count == 1 else { throw SharingError.unknownChat }
        try await raiseVersion(of: chat, transaction)
    }

    /// Removes up to `limit` of the oldest messages, all below `number`, of a locked chat.
    ///
    /// - Returns: Whether there may be more.
    static func trim(_ chat: ChatID, below number: Int64, limit: Int64, _ transaction: Transaction)
        async throws
        -> Bool
    {
        guard let head = try await lock(chat, transaction) else { throw SharingError.unknownChat }
        let first = max(head.first, min(number, head.last + 1, head.first + limit))
        guard first > head.first else { return false }
        try await transaction.execute(removal, [.int(chat.rawValue), .int(first)])
        try await transaction.execute(trimming, [.int(chat.rawValue), .int(first)])
        return first - head.first == limit
    }

    private static let locking = Statement(
        name: "lockChat",
        sql: "SELECT version, first, last, written, active FROM chat WHERE id = $1 FOR UPDATE"
    )

    private static let raising = Statement(
        name: "raiseVersion",
        sql: "UPDATE chat SET version = version + 1 WHERE id = $1"
    )

    private static let insertion = Statement(
        name: "insertChat",
        sql: """
            INSERT INTO chat (
                id, one_to_one, subject, subject_locked, positions, first, last, written, active, created
            ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            """
    )

    private static let updating = Statement(
        name: "updateChat",
        sql: """
            UPDATE chat SET subject = $2, subject_locked = $3, positions = $4, last = $5, written = $6, active = $7,
                version = version + $8
            WHERE id = $1
            """
    )

    private static let savingParticipants = Statement(
        name: "saveParticipants",
        sql: """
            INSERT INTO participant (chat, person, place, role, color, is_present, stays_out, left_subject)
            SELECT $1, t.person, t.place, t.role, t.color, t.present = 1, t.since, t.subject
            FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[])
                t(person, place, role, color, present, since, subject)
            ON CONFLICT (chat, person) DO UPDATE
            SET role = excluded.role, color = excluded.color, is_present = excluded.is_present,
                stays_out = excluded.stays_out, left_subject = excluded.left_subject
            """
    )

    private static let savingSpans = Statement(
        name: "saveSpans",
        sql: """
            INSERT INTO span (chat, person, first, last)
            SELECT $1, t.person, t.first, t.last
            FROM unnest($2::bigint[], $3::bigint[], $4::bigint[]) t(person, first, last)
            ON CONFLICT (chat, person, first) DO UPDATE SET last = excluded.last
            """
    )

    private static let comingBack = Statement(
        name: "stopStayingOut",
        sql: "UPDATE participant SET stays_out = NULL, left_subject = NULL WHERE chat = $1 AND person = $2"
    )

    private static let removal = Statement(
        name: "trimMessages",
        sql: "DELETE FROM message WHERE chat = $1 AND number < $2"
    )

    private static let trimming = Statement(
        name: "trimChat",
        sql: "UPDATE chat SET first = $2, version = version + 1 WHERE id = $1"
    )
}
#endif
