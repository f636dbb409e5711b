// What SQLite computes of a chat from its messages, and PostgreSQL has in a column: SQL for the list of columns in
// `NounLists.swift`, which `FolderEnd` runs while it reads chats. It must find the same rows as `ChatRow` in YonderStorage
// (`MigrationTests` compares both databases).
extension MigrationTable {
    static let last = "ifnull((\(newest("number", nil, "TRUE"))), first - 1)"

    static let written = """
        ifnull((\(newest("written", "messageByWriting", "written IS NOT NULL"))), chat.written)
        """

    /// As `ChatRow` in YonderStorage reads it.
    static let active = """
        max(
            chat.active, ifnull((\(newest("time", "messageByWriting", "written IS NOT NULL"))), 0), \(activities)
        )
        """

    private static let activities = ["Share", "Join", "Leave", "Subject"]
        .map { "ifnull((\(newest("time", "messageByTag", "tag = '\($0)'"))), 0)" }.joined(separator: ", ")

    private static func newest(_ column: String, _ index: String?, _ condition: String) -> String {
        """
        SELECT message.\(column) FROM message \(index.map { "INDEXED BY \($0)" } ?? "")
        WHERE message.chat = chat.id AND \(condition) ORDER BY message.number DESC LIMIT 1
        """
    }
}
