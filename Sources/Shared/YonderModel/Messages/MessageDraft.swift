public import YonderGeodesy

/// A message before it has a number.
///
/// An app or a reader of frames makes one; `SharingClient` checks it before it is kept, and the server again before it is
/// stored. The outbox keeps it across restarts (`SQLiteOutboxStore`), so a new member needs a column there. A key that is
/// sent twice must come with the same bytes, which `hasSameBytes(as:)` decides (`MessageTests`).
public struct MessageDraft: Hashable, Sendable {
    /// The message's tag; never a reserved one.
    public let tag: MessageTag

    /// Text, possibly empty.
    public let content: String

    /// A JSON object, or `nil`.
    public let data: MessageData?

    /// When it loses `content` and `data`, by the server's clock, or `nil`.
    public let expires: Timestamp?

    /// Creates a draft.
    public init(tag: MessageTag, content: String = "", data: MessageData? = nil, expires: Timestamp? = nil) {
        self.tag = tag
        self.content = content
        self.data = data
        self.expires = expires
    }

    /// Refuses what no chat takes.
    ///
    /// - Throws: ``SharingError`` with code `reservedTag` or `messageTooLarge`.
    public func check() throws(SharingError) {
        guard !tag.isReserved else {
            throw SharingError(.reservedTag, "tag: \(tag) is reserved for the server; use another tag.")
        }
        guard content.utf8.count + (data?.bytes.count ?? 0) <= Message.byteLimit else {
            throw SharingError(
                .messageTooLarge,
                "content and data together must have at most \(Message.byteLimit) bytes."
            )
        }
    }
}

extension MessageDraft {
    /// Whether another draft is the same on the wire; `String` takes a composed and a decomposed é for one.
    package func hasSameBytes(as other: MessageDraft) -> Bool {
        self == other && content.utf8.elementsEqual(other.content.utf8)
    }
}
