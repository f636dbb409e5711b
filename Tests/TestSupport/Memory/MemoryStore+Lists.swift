import YonderGeodesy
public import YonderModel

extension MemoryStore {
    /// See ``ChatStore/lastNumbers(of:)``.
    public func lastNumbers(of user: UserID) async throws(SharingError) -> [ChatID: Int64] {
        try chats { $0.lastNumbers(of: user) }
    }

    /// See ``ChatStore/meets(_:_:)``.
    public func meets(_ reader: UserID, _ other: UserID) async throws(SharingError) -> Bool {
        try chats { $0.meets(reader, other) }
    }

    /// See ``ChatStore/groups(ownedBy:with:)``.
    public func groups(ownedBy owner: UserID, with others: Set<UserID>) async throws(SharingError)
        -> [UserID: Int]
    {
        try chats { $0.groups(ownedBy: owner, with: others) }
    }
}
