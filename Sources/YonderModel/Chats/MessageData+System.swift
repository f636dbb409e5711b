/// What the server's own messages carry.
extension MessageData {
    /// What a `Recall` carries: `{"number":N}`.
    public static func recall(of number: Int64) -> MessageData {
        var writer = JSONWriter(capacity: 32)
        writer.raw("{\"number\":")
        writer.integer(number)
        writer.raw("}")
        return MessageData(checked: writer.bytes)
    }

    /// What a `Remove` and an `Owner` carry: `{"user":"…"}`.
    public static func user(_ user: UserID) -> MessageData {
        var writer = JSONWriter(capacity: 40)
        writer.raw("{\"user\":")
        writer.identifier(user)
        writer.raw("}")
        return MessageData(checked: writer.bytes)
    }

    /// What a `Join` carries: `{"users":["…"]}`.
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
