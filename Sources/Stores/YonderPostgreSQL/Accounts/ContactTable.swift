#if Postgres
import YonderLibPQ
import YonderModel
import YonderRules

/// The tables `contact` and `block`: in each row of the second, `person` blocks `other`.
enum ContactTable {
    /// - Throws: ``SharingError`` with code `unknownUser`.
    static func connect(_ one: UserID, _ other: UserID, _ transaction: Transaction) async throws {
        let accounts = try await AccountTable.locked([one, other], transaction)
        guard one != other, let first = accounts[one]?.user, let second = accounts[other]?.user,
            try await !areApart(one, other, transaction)
        else { throw SharingError.unknownUser }
        try await transaction.execute(connection, pair(one, other))
        let without = [first, second].filter { $0.hue == nil }.map(\.id)
        try await AccountTable.giveHues(to: without, around: huesAround, pair(one, other), transaction)
    }

    private static let connection = Statement(
        name: "connect",
        sql: "INSERT INTO contact (person, other) VALUES ($1, $2), ($2, $1) ON CONFLICT DO NOTHING"
    )

    private static let huesAround = Statement(
        name: "hues_around",
        sql:
            "SELECT DISTINCT hue FROM account WHERE id IN (SELECT other FROM contact WHERE person IN ($1, $2))"
    )

    static func disconnect(_ one: UserID, _ other: UserID, _ transaction: Transaction) async throws {
        try await transaction.execute(disconnection, pair(one, other))
    }

    private static let disconnection = Statement(
        name: "disconnect",
        sql: "DELETE FROM contact WHERE person = $1 AND other = $2 OR person = $2 AND other = $1"
    )

    /// Whether one of two users blocks the other.
    static func areApart(_ one: UserID, _ other: UserID, _ transaction: Transaction) async throws -> Bool {
        try await !transaction.query(apart, pair(one, other)).isEmpty
    }

    private static let apart = Statement(
        name: "are_apart",
        sql: """
            SELECT person FROM block WHERE person = $1 AND other = $2 OR person = $2 AND other = $1 LIMIT 1
            """
    )

    /// - Returns: The one-to-one chat of both.
    /// - Throws: ``SharingError`` with code `unknownUser` or `tooMany`.
    static func block(_ user: UserID, by blocker: UserID, _ transaction: Transaction) async throws -> ChatID?
    {
        let accounts = try await AccountTable.locked([user, blocker], transaction)
        guard user != blocker, let own = accounts[blocker]?.user, let other = accounts[user]?.user else {
            throw SharingError.unknownUser
        }
        guard try await transaction.query(oneBlock, pair(blocker, user)).isEmpty else {
            return try await changed(user, by: blocker, isBlocked: true, transaction)
        }
        let reverse = try await transaction.query(oneBlock, pair(user, blocker)).first.flatMap(kept)
        if reverse == nil, try await transaction.query(meeting, pair(blocker, user)).isEmpty {
            throw SharingError.unknownUser
        }
        let block = reverse?.reversed ?? KeptBlock(by: own, of: other)
        let names: [Parameter] = [
            .text(block.blocker.name), .optional(block.blocker.hue.map(Int64.init)),
            .text(block.blocked.name), .optional(block.blocked.hue.map(Int64.init)),
        ]
        try await transaction.execute(blocking, pair(blocker, user) + names)
        let count = try await transaction.query(blockCount, [.int(blocker.rawValue)]).first?.int(0) ?? 0
        guard count <= Block.limit else { throw SharingError.tooManyBlocks }
        try await disconnect(user, blocker, transaction)
        return try await changed(user, by: blocker, isBlocked: true, transaction)
    }

    private static let blocking = Statement(
        name: "block",
        sql: """
            INSERT INTO block (person, other, own_name, own_hue, other_name, other_hue)
            VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING
            """
    )

    private static let blockColumns = "person, own_name, own_hue, other, other_name, other_hue"

    private static let oneBlock = Statement(
        name: "one_block",
        sql: "SELECT \(blockColumns) FROM block WHERE person = $1 AND other = $2"
    )

    private static func kept(_ row: Row) -> KeptBlock? {
        guard let own = UserID(row.int(0)), let other = UserID(row.int(3)) else { return nil }
        return KeptBlock(
            by: User(id: own, name: row.text(1), hue: row.optionalInt(2).map(Int.init)),
            of: User(id: other, name: row.text(4), hue: row.optionalInt(5).map(Int.init))
        )
    }

    /// A row if two users are contacts, or one is in a chat in which the other is or was.
    private static let meeting = Statement(
        name: "have_met",
        sql: """
            SELECT 1 FROM contact WHERE person = $1 AND other = $2
            UNION ALL SELECT 1 FROM participant AS mine JOIN participant AS their ON their.chat = mine.chat
            WHERE mine.person = $1 AND mine.is_present AND their.person = $2
            UNION ALL SELECT 1 FROM participant AS mine JOIN participant AS their ON their.chat = mine.chat
            WHERE mine.person = $2 AND mine.is_present AND their.person = $1 LIMIT 1
            """
    )

    /// The blocks between two sets of users who have no group in common.
    static let partings = Statement(
        name: "partings",
        sql: """
            SELECT \(blockColumns) FROM (
                SELECT * FROM block WHERE person = ANY($1::bigint[]) AND other = ANY($2::bigint[])
                UNION SELECT * FROM block WHERE person = ANY($2::bigint[]) AND other = ANY($1::bigint[])
            ) AS found WHERE NOT EXISTS (
                SELECT 1 FROM participant AS mine JOIN participant AS their ON their.chat = mine.chat
                JOIN chat ON chat.id = mine.chat
                WHERE mine.person = found.person AND mine.is_present AND their.person = found.other
                    AND their.is_present AND NOT one_to_one
            )
            """
    )

    static func partings(_ rows: [Row], subjects: Set<UserID>, viewers: Set<UserID>) -> Partings {
        var partings = Partings()
        for block in rows.compactMap(kept) {
            partings.insert(block, subjects: subjects, viewers: viewers)
        }
        return partings
    }

    private static let blockCount = Statement(
        name: "count_blocks",
        sql: "SELECT count(*) FROM block WHERE person = $1"
    )

    /// - Returns: The one-to-one chat of both.
    static func unblock(_ user: UserID, by blocker: UserID, _ transaction: Transaction) async throws
        -> ChatID?
    {
        // As a block does, so that the chat's versions have the order of what is in the table.
        _ = try await AccountTable.locked([user, blocker], transaction)
        try await transaction.execute(unblocking, pair(blocker, user))
        return try await changed(user, by: blocker, isBlocked: false, transaction)
    }

    /// Has the next message of a pair's chat read its blocks again, and others be told.
    private static func changed(
        _ user: UserID,
        by blocker: UserID,
        isBlocked: Bool,
        _ transaction: Transaction
    ) async throws -> ChatID? {
        guard let raised = try await ChatTable.raiseVersion(ofPair: user, blocker, transaction) else {
            return nil
        }
        let change = BlockChange(
            chat: raised.chat,
            blocker: blocker,
            isBlocked: isBlocked,
            number: raised.version
        )
        transaction.tell { $0.blocks.append(change) }
        return raised.chat
    }

    private static let unblocking = Statement(
        name: "unblock",
        sql: "DELETE FROM block WHERE person = $1 AND other = $2"
    )

    /// The one-to-one chats in which a participant blocks the other, with the participant who does.
    static let closedChats = Statement(
        name: "closed_chats",
        sql: """
            SELECT pair.chat, block.person FROM block JOIN pair
            ON pair.one = least(block.person, block.other) AND pair.other = greatest(block.person, block.other)
            """
    )

    private static func pair(_ one: UserID, _ other: UserID) -> [Parameter] {
        [.int(one.rawValue), .int(other.rawValue)]
    }
}
#endif
