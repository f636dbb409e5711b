package import YonderModel
import YonderRules

/// The statements and rows of the table `contact`, in which each pair has two rows: both are always written and removed
/// together.
///
/// `TableStore+Accounts.swift`, `InvitationTable` and `BlockTable` change it in their transactions, with both accounts
/// locked; `ChatStarting` and the stores' chats ask whether users are contacts or apart. Connecting contacts again changes
/// nothing. A refusal rolls the transaction back. While one of two users blocks the other no row is made, whichever way
/// leads here (decision 37).
///
/// That both directions of a contact are written together must stay.
package enum ContactTable {
    /// Makes two users contacts, and gives a hue to each who has none.
    ///
    /// - Throws: ``SharingError`` with code `unknownUser` if one of them has no account, if both are the same, or if one
    ///   blocks the other.
    static func connect(_ one: UserID, _ other: UserID, _ transaction: any TableTransaction) throws {
        let accounts = try AccountTable.locked([one, other], transaction)
        guard one != other, let first = accounts[one]?.user, let second = accounts[other]?.user,
            try !areApart(one, other, transaction)
        else { throw SharingError.unknownUser }
        try transaction.execute(connection, pair(one, other))
        let without = [first, second].filter { $0.hue == nil }.map(\.id)
        try AccountTable.giveHues(to: without, around: huesAround, pair(one, other), transaction)
    }

    private static let connection: TableStatement =
        "INSERT INTO contact (person, other) VALUES ($1, $2), ($2, $1) ON CONFLICT DO NOTHING"

    private static let huesAround: TableStatement =
        "SELECT DISTINCT hue FROM account WHERE id IN (SELECT other FROM contact WHERE person IN ($1, $2))"

    static func disconnect(_ one: UserID, _ other: UserID, _ transaction: any TableTransaction) throws {
        try transaction.execute(disconnection, pair(one, other))
    }

    private static let disconnection: TableStatement =
        "DELETE FROM contact WHERE person = $1 AND other = $2 OR person = $2 AND other = $1"

    /// The contacts of a user among the given users.
    package static func contacts(of user: UserID, among others: [UserID]) -> TableQuery<UserID> {
        TableQuery(among, [.int(user.rawValue), .ints(others.map(\.rawValue))]) { UserID($0.int(0)) }
    }

    private static let among: TableStatement =
        "SELECT other FROM contact WHERE person = $1 AND other = ANY($2)"

    /// Whether one of two users blocks the other.
    ///
    /// - Throws: What the database throws.
    package static func areApart(_ one: UserID, _ other: UserID, _ transaction: any TableTransaction) throws
        -> Bool
    {
        try transaction.has(apart, pair(one, other))
    }

    private static let apart: TableStatement = """
        SELECT person FROM block WHERE person = $1 AND other = $2 OR person = $2 AND other = $1 LIMIT 1
        """

    /// The parameters of a statement about two users.
    static func pair(_ one: UserID, _ other: UserID) -> [TableValue] {
        [.int(one.rawValue), .int(other.rawValue)]
    }
}
