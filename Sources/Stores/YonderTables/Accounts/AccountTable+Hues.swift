package import YonderModel

// Hues: each account gets one when it first has a contact or a chat, apart from those of the people around it (`FreeHues`
// chooses). The tables of contacts and the starts of chats call it in their transactions, after the accounts' locks. An
// account that has a hue keeps it.
// That accounts are locked before must stay, or two of one chat could get the same hue (`StoreRule+People.swift`).
extension AccountTable {
    /// Gives a hue to each of the users who joined a chat and have none.
    ///
    /// Most users have one; then this is a single look-up.
    ///
    /// - Throws: What the database throws.
    package static func giveHues(to users: [UserID], in chat: ChatID, _ transaction: any TableTransaction)
        throws
    {
        guard !users.isEmpty else { return }
        let without = try transaction.rows(hueless, [.ints(users.map(\.rawValue))]) { UserID($0.int(0)) }
        try giveHues(to: without, around: participantHues, [.int(chat.rawValue)], transaction)
    }

    /// Gives a hue to locked accounts, apart from those that `statement` finds.
    static func giveHues(
        to users: [UserID],
        around statement: TableStatement,
        _ parameters: [TableValue],
        _ transaction: any TableTransaction
    ) throws {
        guard !users.isEmpty else { return }
        // Servers give hues one after another, so that no two give the same one.
        try transaction.execute(hueLock)
        let degrees = { (row: any TableRow) in row.optionalInt(0).map(Int.init) }
        let sample: [TableValue] = [.int(Int64(FreeHues.sample))]
        let accounts = try transaction.rows(hueSample, sample) { Int??.some(degrees($0)) }
        let near = try transaction.rows(statement, parameters, degrees)
        var free = FreeHues(of: accounts, around: near)
        for user in users { try set(hue, of: user, to: .int(Int64(free.take(for: user))), transaction) }
    }

    /// PostgreSQL's lock of all hues; the number must stay, as servers of other versions take the same lock.
    private static let hueLock = TableStatement.lock("SELECT pg_advisory_xact_lock(7923006743)")

    private static let hueSample: TableStatement = "SELECT hue FROM account LIMIT $1"

    private static let hueless: TableStatement =
        "SELECT id FROM account WHERE id = ANY($1) AND hue IS NULL ORDER BY id FOR UPDATE"

    private static let participantHues: TableStatement =
        "SELECT DISTINCT hue FROM participant JOIN account ON id = person WHERE chat = $1 AND is_present"
}
