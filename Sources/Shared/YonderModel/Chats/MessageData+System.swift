import YonderJSON

/// The `data` of the server's own messages.
///
/// `ChatRules` writes these when a participant acts; clients read them in `Emptying` and in an app's own words for a chat's
/// history. Writing can't fail. Names are in stored messages and on the wire, and must stay (`Documentation/stream.md`); a
/// member may be added, as clients ignore unknown ones.
extension MessageData {
    /// The `data` of a `Recall`: `{"number":N}`.
    public static func recall(of number: Int64) -> MessageData {
        var writer = JSONWriter(capacity: 32)
        writer.raw("{\"number\":")
        writer.integer(number)
        writer.raw("}")
        return MessageData(checked: writer.bytes)
    }

    /// The `data` of a `Remove` and of an `Owner`: `{"user":"…"}`.
    public static func user(_ user: UserID) -> MessageData {
        var writer = JSONWriter(capacity: 40)
        writer.raw("{\"user\":")
        writer.identifier(user)
        writer.raw("}")
        return MessageData(checked: writer.bytes)
    }

    /// The `data` of a `Subject` that decides how long the chat keeps positions: `{"positions":"day"}`.
    public static func positions(_ keeping: PositionKeeping) -> MessageData {
        MessageData(checked: Array("{\"positions\":\"\(keeping.rawValue)\"}".utf8))
    }

    /// The `data` of a `Subject` that decides which participants may change the subject: `{"subjectLocked":true}`.
    public static func subjectLocked(_ isLocked: Bool) -> MessageData {
        MessageData(checked: Array("{\"subjectLocked\":\(isLocked)}".utf8))
    }

    /// The `data` of a `Join`: `{"users":["…"]}`.
    public static func users(_ users: [UserID]) -> MessageData {
        var writer = JSONWriter(capacity: 32 + users.count * 22)
        writer.raw("{\"users\":[")
        for (index, user) in users.enumerated() {
            if index > 0 { writer.raw(",") }
            writer.identifier(user)
        }
        writer.raw("]}")
        return MessageData(checked: writer.bytes)
    }
}
