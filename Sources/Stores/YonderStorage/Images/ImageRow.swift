import Foundation
import GRDB
import YonderGeodesy
import YonderModel
import YonderRules
import YonderSQLite

/// The tables `image` and `imageUse`.
///
/// Triggers remove an image with the last message or profile that names it, in the same transaction.
enum ImageRow {
    /// The condition of a row of `image` that neither a message nor its owner's profile names.
    private static let isLoose = """
        NOT EXISTS (SELECT 1 FROM imageUse WHERE imageUse.image = image.id) AND NOT EXISTS (
            SELECT 1 FROM account WHERE account.id = image.owner AND account.avatar = '/v1/images/' || image.id
        )
        """

    /// Adds an image.
    ///
    /// - Throws: ``SharingError`` with code `tooMany`.
    static func insert(_ image: StoredImage, into database: Database) throws {
        let loose = try Int.fetchOne(
            database,
            sql: "SELECT count(*) FROM image WHERE owner = ? AND \(isLoose)",
            arguments: [image.owner.rawValue]
        )
        guard loose ?? 0 < StoredImage.looseLimit else { throw SharingError.tooManyLooseImages }
        try database.execute(
            sql:
                "INSERT INTO image (id, owner, created, format, width, height, bytes) VALUES (?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                image.id.rawValue, image.owner.rawValue, image.created.milliseconds,
                image.file.format.rawValue,
                image.file.width, image.file.height, Data(image.file.bytes),
            ]
        )
    }

    static func find(_ id: ImageID, in database: Database) throws -> (
        image: StoredImage, messages: [Message.ID]
    )? {
        let row = try Row.fetchOne(
            database,
            sql: "SELECT owner, created, format, width, height, bytes FROM image WHERE id = ?",
            arguments: [id.rawValue]
        )
        guard let row, let owner = UserID(row[0] as Int64),
            let format = StoredWords.format.read(row[2])?.value
        else {
            return nil
        }
        let file = ImageFile(format: format, width: row[3], height: row[4], checked: [UInt8](row[5] as Data))
        let created = Timestamp(milliseconds: row[1])
        let image = StoredImage(id: id, owner: owner, created: created, file: file)
        return (image, try messages(of: id, in: database))
    }

    private static func messages(of id: ImageID, in database: Database) throws -> [Message.ID] {
        let sql = "SELECT chat, number FROM imageUse WHERE image = ?"
        return try Row.fetchAll(database, sql: sql, arguments: [id.rawValue]).compactMap { row in
            ChatID(row[0] as Int64).map { Message.ID(chat: $0, number: row[1]) }
        }
    }

    /// Called when a message was stored: the image of its sender that it names, if any, is no longer loose.
    static func note(_ message: Message, in database: Database) throws {
        guard let id = message.data?.image else { return }
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO imageUse (image, chat, number) SELECT id, ?, ? FROM image
                WHERE id = ? AND owner = ? AND (SELECT count(*) FROM imageUse WHERE image = image.id) < ?
                """,
            arguments: [
                message.chat.rawValue, message.number, id.rawValue, message.sender.rawValue,
                StoredImage.messageLimit,
            ]
        )
    }

    static func removeLoose(before time: Timestamp, in database: Database) throws -> Int {
        try database.execute(
            sql: "DELETE FROM image WHERE created < ? AND \(isLoose)",
            arguments: [time.milliseconds]
        )
        return database.changesCount
    }
}
