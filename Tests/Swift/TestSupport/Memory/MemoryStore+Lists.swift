import YonderGeodesy
package import YonderModel
package import YonderRules

extension MemoryStore {
    /// See ``ChatStore/lastNumbers(of:)``.
    package func lastNumbers(of user: UserID) async throws(SharingError) -> [ChatID: Int64] {
        try chats { $0.lastNumbers(of: user) }
    }

    /// See ``ChatStore/meets(_:_:_:)``.
    package func meets(_ reader: UserID, _ other: UserID, _ meeting: Meeting) async throws(SharingError)
        -> Bool
    {
        try chats { $0.meets(reader, other, meeting) }
    }

    /// See ``ChatStore/groups(of:ownedBy:limit:)``.
    package func groups(of user: UserID, ownedBy owner: UserID, limit: Int) async throws(SharingError)
        -> [ChatID]
    {
        try chats { $0.groups(of: user, ownedBy: owner, limit: limit) }
    }

    /// See ``ChatStore/leftGroups(of:limit:)``.
    package func leftGroups(of user: UserID, limit: Int) async throws(SharingError) -> [LeftGroup] {
        try chats { $0.leftGroups(of: user, limit: limit) }
    }

    /// See ``ChatStore/stopStayingOut(of:by:)``.
    package func stopStayingOut(of chat: ChatID, by user: UserID, under warrant: Warrant)
        async throws(SharingError)
    {
        try chats(under: warrant) { chats throws(SharingError) in try chats.stopStayingOut(of: chat, by: user)
        }
    }
}
