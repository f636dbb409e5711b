#if Postgres
import YonderLibPQ
import YonderGeodesy
import YonderModel
import YonderRules

/// The tables `image` and `image_use`.
///
/// Triggers remove an image with the last message or profile that names it, in the same transaction.
enum ImageTable {
    /// The condition of a row of `image` that neither a message nor its owner's profile names.
    private static let isLoose = """
        NOT EXISTS (SELECT 1 FROM image_use WHERE image_use.image = image.id) AND NOT EXISTS (
            SELECT 1 FROM account WHERE account.id = image.owner AND account.avatar = '/v1/images/' || image.id
        )
        """

    /// Adds an image; one that is there stays, so that adding may be repeated.
    ///
    /// - Throws: ``SharingError`` with code `tooMany`.
    static func insert(_ image: StoredImage, _ transaction: Transaction) async throws {
        _ = try await AccountTable.locked([image.owner], transaction)
        let loose = try await transaction.query(
            looseCount,
            [.int(image.owner.rawValue), .int(image.id.rawValue)]
        )
        guard loose.first?.int(0) ?? 0 < StoredImage.looseLimit else { throw SharingError.tooManyLooseImages }
        try await transaction.execute(
            insertion,
            [
                .int(image.id.rawValue), .int(image.owner.rawValue), .int(image.created.milliseconds),
                .text(image.file.format.rawValue), .int(Int64(image.file.width)),
                .int(Int64(image.file.height)), .bytes(image.file.bytes),
            ]
        )
    }

    private static let looseCount = Statement(
        name: "count_loose_images",
        sql: "SELECT count(*) FROM image WHERE owner = $1 AND id <> $2 AND \(isLoose)"
    )

    private static let insertion = Statement(
        name: "insert_image",
        sql: """
            INSERT INTO image (id, owner, created, format, width, height, bytes) VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT DO NOTHING
            """
    )

    static let byID = Statement(
        name: "image_by_id",
        sql: "SELECT owner, created, format, width, height, bytes FROM image WHERE id = $1"
    )

    static func image(_ row: Row, _ id: ImageID) -> StoredImage? {
        guard let owner = UserID(row.int(0)), let format = StoredWords.format.read(row.text(2))?.value else {
            return nil
        }
        let file = ImageFile(
            format: format,
            width: Int(row.int(3)),
            height: Int(row.int(4)),
            checked: row.bytes(5)
        )
        return StoredImage(id: id, owner: owner, created: Timestamp(milliseconds: row.int(1)), file: file)
    }

    static let uses = Statement(
        name: "uses_of_image",
        sql: "SELECT chat, number FROM image_use WHERE image = $1"
    )

    static func message(_ row: Row) -> Message.ID? {
        ChatID(row.int(0)).map { Message.ID(chat: $0, number: row.int(1)) }
    }

    /// Called when a message was stored: the image of its sender that a `Photo` names is no longer loose.
    static func note(_ message: Message, _ transaction: Transaction) async throws {
        guard message.tag == .photo, let id = message.data?.image else { return }
        let parameters: [Parameter] = [
            .int(id.rawValue), .int(message.sender.rawValue), .int(message.chat.rawValue),
            .optional(message.number),
            .int(Int64(StoredImage.messageLimit)),
        ]
        // A removal of the image waits for this row, and then sees its use.
        try await transaction.query(lock, [parameters[0]])
        try await transaction.execute(use, parameters)
    }

    private static let lock = Statement(
        name: "lock_image",
        sql: "SELECT id FROM image WHERE id = $1 FOR UPDATE"
    )

    private static let use = Statement(
        name: "use_image",
        sql: """
            INSERT INTO image_use (image, chat, number) SELECT id, $3, $4 FROM image
            WHERE id = $1 AND owner = $2 AND (SELECT count(*) FROM image_use WHERE image_use.image = $1) < $5
            ON CONFLICT DO NOTHING
            """
    )

    /// Keeps the image of a path that a profile is about to name from being removed meanwhile.
    static func lock(path: String, _ transaction: Transaction) async throws {
        guard let last = path.split(separator: "/").last, let id = ImageID(String(last)),
            path == StoredImage.path(id)
        else { return }
        try await transaction.query(lock, [.int(id.rawValue)])
    }

    /// Removes loose images, but for those that another transaction is about to use.
    ///
    /// - Returns: How many.
    static func removeLoose(before time: Timestamp, _ transaction: Transaction) async throws -> Int {
        let rows = try await transaction.query(someLoose, [.int(time.milliseconds)])
        guard !rows.isEmpty else { return 0 }
        return try await transaction.execute(removal, [.ints(rows.map { $0.int(0) })])
    }

    private static let someLoose = Statement(
        name: "loose_images",
        sql: "SELECT id FROM image WHERE created < $1 AND \(isLoose) LIMIT 1000 FOR UPDATE SKIP LOCKED"
    )

    /// A use that was added before the lock was taken is seen here, in the statement after.
    private static let removal = Statement(
        name: "remove_loose_images",
        sql: "DELETE FROM image WHERE id = ANY($1) AND \(isLoose)"
    )
}
#endif
