package import YonderModel
package import YonderRules

/// Some of a user's chats, in the order of their list.
///
/// `ChatLists` and `ChatEndpoints` ask for pages, newest activity first; an error is the store's. Chats whose activity
/// changes between two pages may come twice or not at all, and a live list gets them as changes. The cursor is
/// `ChatPlace`, which clients hold: its form must stay (`ChatListsTests`).
package struct ChatPage: Sendable {
    /// The chats.
    package let chats: [Chat]

    /// Where the list goes on, or `nil` if there are no more chats.
    package let next: ChatPlace?
}

extension ChatStore {
    /// A page of the chats that `user` is in now, and where the next page begins.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - place: The `next` of the page before, or `nil` for the first page.
    ///   - limit: The most chats of the page, at least one.
    /// - Returns: The page.
    /// - Throws: `unavailable`.
    package func page(
        of user: UserID,
        after place: ChatPlace? = nil,
        limit: Int
    ) async throws(SharingError) -> ChatPage {
        let found = try await chats(of: user, after: place, limit: limit + 1)
        let chats = Array(found.prefix(limit))
        return ChatPage(chats: chats, next: found.count > limit ? chats.last?.place : nil)
    }
}
