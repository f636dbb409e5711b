package import YonderGeodesy
package import YonderModel
package import YonderRules

/// The statements and rows of the tables `image` and `image_use`.
///
/// The port's functions below add, read and remove images; the stores' writers of messages call ``note(_:_:)`` for each
/// message, in its transaction, and `AccountTable` ``lock(path:_:)`` for each profile. Adding and noting may be repeated. A
/// message whose image isn't its sender's, isn't there, or has too many uses is stored without a use: the image is then not
/// shown by it.
///
/// Triggers remove an image with the last message or profile that names it, in the same transaction. The locks must stay:
/// without them an image could be removed while a message begins to name it (decision 15, `PostgreSQLImageTests`). `isLoose`
/// must agree with the triggers of both schemas.
package enum ImageTable {
    /// The condition of a row of `image` that neither a message nor its owner's profile names.
    private static let isLoose = """
        NOT EXISTS (SELECT 1 FROM image_use WHERE image_use.image = image.id) AND NOT EXISTS (
            SELECT 1 FROM account WHERE account.id = image.owner AND account.avatar = '/v1/images/' || image.id
        )
        """

    /// Adds an image; one that is there stays, so that adding may be repeated.
    ///
    /// - Throws: ``SharingError`` with code `tooMany`.
    static func insert(_ image: StoredImage, _ transaction: any TableTransaction) throws {
        _ = try AccountTable.locked([image.owner], transaction)
        let owner = TableValue.int(image.owner.rawValue)
        guard try transaction.number(looseCount, [owner, .int(image.id.rawValue)]) < StoredImage.looseLimit
        else { throw SharingError.tooManyLooseImages }
        try transaction.execute(
            insertion,
            [
                .int(image.id.rawValue), owner, .int(image.created.milliseconds),
                .text(image.file.format.rawValue), .int(Int64(image.file.width)),
                .int(Int64(image.file.height)), .bytes(image.file.bytes),
            ]
        )
    }

    private static let looseCount: TableStatement =
        "SELECT count(*) FROM image WHERE owner = $1 AND id <> $2 AND \(isLoose)"

    private static let insertion: TableStatement = """
        INSERT INTO image (id, owner, created, format, width, height, bytes) VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT DO NOTHING
        """

    /// An image that can be served.
    static func image(_ id: ImageID) -> TableQuery<StoredImage> {
        TableQuery(byID, [.int(id.rawValue)]) { row in
            guard let owner = UserID(row.int(0)), let format = StoredWords.format.read(row.text(2))?.value
            else { return nil }
            let file = ImageFile(
                format: format,
                width: Int(row.int(3)),
                height: Int(row.int(4)),
                checked: row.bytes(5)
            )
            return StoredImage(
                id: id,
                owner: owner,
                created: Timestamp(milliseconds: row.int(1)),
                file: file
            )
        }
    }

    private static let byID: TableStatement =
        "SELECT owner, created, format, width, height, bytes FROM image WHERE id = $1"

    /// The messages that name an image.
    static func uses(of image: ImageID) -> TableQuery<Message.ID> {
        TableQuery(uses, [.int(image.rawValue)]) { row in
            ChatID(row.int(0)).map { Message.ID(chat: $0, number: row.int(1)) }
        }
    }

    private static let uses: TableStatement = "SELECT chat, number FROM image_use WHERE image = $1"

    /// Called when a message was stored: the image of its sender that a `Photo` names is no longer loose.
    ///
    /// - Throws: What the database throws.
    package static func note(_ message: Message, _ transaction: any TableTransaction) throws {
        guard message.tag == .photo, let id = message.data?.image else { return }
        let parameters: [TableValue] = [
            .int(id.rawValue), .int(message.sender.rawValue), .int(message.chat.rawValue),
            .optional(message.number), .int(Int64(StoredImage.messageLimit)),
        ]
        // A removal of the image waits for this row, and then sees its use.
        try transaction.execute(lock, [parameters[0]])
        try transaction.execute(use, parameters)
    }

    private static let lock = TableStatement.lock("SELECT id FROM image WHERE id = $1 FOR UPDATE")

    private static let use: TableStatement = """
        INSERT INTO image_use (image, chat, number) SELECT id, $3::bigint, $4::bigint FROM image
        WHERE id = $1 AND owner = $2 AND (SELECT count(*) FROM image_use WHERE image_use.image = $1) < $5
        ON CONFLICT DO NOTHING
        """

    /// Keeps the image of a path that a profile is about to name from being removed meanwhile.
    static func lock(path: String, _ transaction: any TableTransaction) throws {
        guard let last = path.split(separator: "/").last, let id = ImageID(String(last)),
            path == StoredImage.path(id)
        else { return }
        try transaction.execute(lock, [.int(id.rawValue)])
    }

    /// Some loose images, but for those that another transaction is about to use.
    private static let someLoose: TableStatement =
        "SELECT id FROM image WHERE created < $1 AND \(isLoose) LIMIT 1000 FOR UPDATE SKIP LOCKED"

    /// A row if there is a loose image that came before a time.
    static func hasLoose(before time: Timestamp) -> TableQuery<Bool> {
        TableQuery(oneLoose, [.int(time.milliseconds)]) { _ in true }
    }

    private static let oneLoose: TableStatement =
        "SELECT 1 FROM image WHERE created < $1 AND \(isLoose) LIMIT 1"

    /// Removes some loose images.
    ///
    /// - Returns: How many.
    static func removeLoose(before time: Timestamp, _ transaction: any TableTransaction) throws -> Int {
        let found = try transaction.rows(someLoose, [.int(time.milliseconds)]) { $0.int(0) }
        return found.isEmpty ? 0 : try transaction.execute(removal, [.ints(found)])
    }

    /// A use that was added before the lock was taken is seen here, in the statement after.
    private static let removal: TableStatement = "DELETE FROM image WHERE id = ANY($1) AND \(isLoose)"
}

// The functions of the port `ImageStore` for both databases.
extension TableStore {
    /// See ``ImageStore/addImage(_:under:)``.
    package func addImage(_ image: StoredImage, under warrant: Warrant) async throws(SharingError) {
        try await transact(.repeatable, under: warrant, with: [image.owner]) {
            try ImageTable.insert(image, $0)
        }
    }

    /// See ``ImageStore/image(_:)``.
    package func image(_ id: ImageID) async throws(SharingError) -> (
        image: StoredImage, messages: [Message.ID]
    )? {
        guard let image = try await first(ImageTable.image(id)) else { return nil }
        // Names that went meanwhile only take rights away: nobody but the owner may read an image without names.
        return (image, try await rows(ImageTable.uses(of: id)))
    }

    /// See ``ImageStore/removeLooseImages(before:)``.
    @discardableResult
    package func removeLooseImages(before time: Timestamp) async throws(SharingError) -> Int {
        var removed = 0
        while try await first(ImageTable.hasLoose(before: time)) != nil {
            let count = try await transact(.erasing) { try ImageTable.removeLoose(before: time, $0) }
            guard count > 0 else { break }
            removed += count
        }
        return removed
    }
}
