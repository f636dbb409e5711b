import YonderModel
import YonderRules

/// The statements and rows of the table `block`: in each row, `person` blocks `other`, with both names and hues as they were
/// then.
///
/// `TableStore+Accounts.swift` calls it, each change in a transaction of its own. Both accounts are locked first, and the
/// version of the pair's chat is raised at the end, so that every server decides the chat's next message by the new blocks;
/// both must stay. Blocking or unblocking again changes no row. A refusal is a ``SharingError``, and rolls back.
///
/// What a block does to contacts, chats and names is decision 37. The statements' cost is held by `StatementCostTests`: the
/// two texts of `partings` answer alike, and go by different indexes.
enum BlockTable {
    /// Has `blocker` block a user, and removes the contact between them.
    ///
    /// - Returns: The one-to-one chat of both, or `nil` if they have none.
    /// - Throws: ``SharingError`` with code `unknownUser` or `tooMany`.
    static func block(_ user: UserID, by blocker: UserID, _ transaction: any TableTransaction) throws
        -> ChatID?
    {
        let accounts = try AccountTable.locked([user, blocker], transaction)
        guard user != blocker, let own = accounts[blocker]?.user, let other = accounts[user]?.user else {
            throw SharingError.unknownUser
        }
        if try block(of: user, by: blocker, transaction) == nil {
            let reverse = try block(of: blocker, by: user, transaction)
            guard try reverse != nil || transaction.has(meeting, ContactTable.pair(blocker, user)) else {
                throw SharingError.unknownUser
            }
            try insert(reverse?.reversed ?? KeptBlock(by: own, of: other), transaction)
            try ContactTable.disconnect(user, blocker, transaction)
        }
        return try changed(user, by: blocker, isBlocked: true, transaction)
    }

    private static func insert(_ block: KeptBlock, _ transaction: any TableTransaction) throws {
        let (own, other) = (block.blocker, block.blocked)
        let names: [TableValue] = [
            .text(own.name), .optional(own.hue), .text(other.name), .optional(other.hue),
        ]
        try transaction.execute(blocking, ContactTable.pair(own.id, other.id) + names)
        guard try transaction.number(count, [.int(own.id.rawValue)]) <= Block.limit else {
            throw SharingError.tooManyBlocks
        }
    }

    private static let blocking: TableStatement = """
        INSERT INTO block (person, other, own_name, own_hue, other_name, other_hue)
        VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING
        """

    private static let count: TableStatement = "SELECT count(*) FROM block WHERE person = $1"

    private static let columns = "person, own_name, own_hue, other, other_name, other_hue"

    private static func block(of user: UserID, by blocker: UserID, _ transaction: any TableTransaction) throws
        -> KeptBlock?
    {
        try transaction.rows(oneBlock, ContactTable.pair(blocker, user)) { kept($0) }.first
    }

    private static let oneBlock: TableStatement =
        "SELECT \(columns) FROM block WHERE person = $1 AND other = $2"

    private static func kept(_ row: any TableRow) -> KeptBlock? {
        guard let own = UserID(row.int(0)), let other = UserID(row.int(3)) else { return nil }
        return KeptBlock(
            by: User(id: own, name: row.text(1), hue: row.optionalInt(2).map(Int.init)),
            of: User(id: other, name: row.text(4), hue: row.optionalInt(5).map(Int.init))
        )
    }

    /// A row if two users are contacts, or one is in a chat in which the other is or was.
    private static let meeting: TableStatement = """
        SELECT 1 FROM contact WHERE person = $1 AND other = $2
        UNION ALL SELECT 1 FROM participant AS mine JOIN participant AS their ON their.chat = mine.chat
        WHERE mine.person = $1 AND mine.is_present AND their.person = $2
        UNION ALL SELECT 1 FROM participant AS mine JOIN participant AS their ON their.chat = mine.chat
        WHERE mine.person = $2 AND mine.is_present AND their.person = $1 LIMIT 1
        """

    /// The blocks between the users of two sets who have no group in common; the first set should be the smaller.
    static func blocks(between few: Set<UserID>, and many: Set<UserID>) -> TableQuery<KeptBlock> {
        TableQuery(partings, [.ints(few.map(\.rawValue)), .ints(many.map(\.rawValue))]) { kept($0) }
    }

    private static let partings = TableStatement(
        """
        SELECT \(columns) FROM (
            SELECT * FROM block WHERE person = ANY($1::bigint[]) AND other = ANY($2::bigint[])
            UNION SELECT * FROM block WHERE person = ANY($2::bigint[]) AND other = ANY($1::bigint[])
        ) AS found WHERE \(areApart)
        """,
        // SQLite would take every pair of the two sets.
        sqlite: """
            SELECT \(columns) FROM (
                SELECT * FROM block WHERE person IN (SELECT value FROM json_each(?1))
                UNION SELECT * FROM block WHERE other IN (SELECT value FROM json_each(?1))
            ) AS found WHERE (person IN (SELECT value FROM json_each(?2)) OR other IN (SELECT value FROM json_each(?2)))
            AND \(areApart)
            """
    )

    /// SQL for whether the two people of a block have no group in common.
    private static let areApart = """
        NOT EXISTS (
            SELECT 1 FROM participant AS mine JOIN participant AS their ON their.chat = mine.chat
            JOIN chat ON chat.id = mine.chat
            WHERE mine.person = found.person AND mine.is_present AND their.person = found.other
                AND their.is_present AND NOT one_to_one
        )
        """

    /// Ends a block, if there is one.
    ///
    /// - Returns: The one-to-one chat of both, or `nil` if they have none.
    static func unblock(_ user: UserID, by blocker: UserID, _ transaction: any TableTransaction) throws
        -> ChatID?
    {
        // As a block does, so that the chat's versions have the order of what is in the table.
        _ = try AccountTable.locked([user, blocker], transaction)
        try transaction.execute(unblocking, ContactTable.pair(blocker, user))
        return try changed(user, by: blocker, isBlocked: false, transaction)
    }

    private static let unblocking: TableStatement = "DELETE FROM block WHERE person = $1 AND other = $2"

    /// Raises the version of a pair's chat, so that its next message reads the blocks again, and adds the change to the
    /// transaction's outlet.
    private static func changed(
        _ user: UserID,
        by blocker: UserID,
        isBlocked: Bool,
        _ transaction: any TableTransaction
    ) throws -> ChatID? {
        guard let chat = try transaction.first(ChatStarting.pair(user, blocker)) else { return nil }
        let versions = try transaction.rows(raising, [.int(chat.rawValue)]) { $0.int(0) }
        guard let version = versions.first else { return nil }
        try transaction.blocksChanged(of: chat)
        let change = BlockChange(chat: chat, blocker: blocker, isBlocked: isBlocked, number: version)
        transaction.tell { $0.blocks.append(change) }
        return chat
    }

    private static let raising: TableStatement =
        "UPDATE chat SET version = version + 1 WHERE id = $1 RETURNING version"

    /// Every one-to-one chat in which one participant blocks the other, with the id of the blocking participant.
    ///
    /// If both block each other, the chat has two rows.
    static var closedChats: TableQuery<(chat: ChatID, blocker: UserID)> {
        TableQuery(closed) { row in
            guard let chat = ChatID(row.int(0)), let blocker = UserID(row.int(1)) else { return nil }
            return (chat, blocker)
        }
    }

    private static let closed: TableStatement = """
        SELECT pair.chat, block.person FROM block JOIN pair
        ON pair.one = least(block.person, block.other) AND pair.other = greatest(block.person, block.other)
        """
}
