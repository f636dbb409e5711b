import YonderModel
import YonderRules
import YonderSQLite

// Groups that participants left for good.
// `SQLiteStore+Chats.swift` calls it in a transaction of the writer; it may be repeated (`StoreRule+Staying.swift`).
extension ChatWriter {
    /// Lets a user be added to a group again.
    ///
    /// - Throws: ``SharingError`` with code `unknownChat` if the user never was in it.
    func stopStayingOut(of chat: ChatID, by user: UserID, in database: Database) throws {
        let entry = try entry(chat, in: database)
        guard let place = entry.places[user] else { throw SharingError.unknownChat }
        guard entry.chat.participants[place].staysOut != nil else { return }
        touch(chat)
        entry.chat.participants[place].staysOut = nil
        try ChatRow.save(entry.chat.participants[place], place: place, in: chat, database)
        _ = try ChatRow.raiseVersion(of: chat, in: database)
    }
}
