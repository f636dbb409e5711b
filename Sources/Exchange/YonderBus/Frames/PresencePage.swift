package import YonderModel

/// Some of the users with a session on a node.
///
/// `PresenceBoard` makes pages of its users when another node asks, and replaces that node's users once all pages have
/// come. A page fits a frame, with 10 000 users at most (`PresenceBoardTests`, `BusFrameTests`).
package struct PresencePage: Hashable, Sendable {
    /// The users.
    package let users: [UserID]

    /// The page's number, from 0.
    package let number: Int

    /// How many pages there are.
    package let count: Int

    /// Creates a page.
    package init(users: [UserID], number: Int = 0, count: Int = 1) {
        self.users = users
        self.number = number
        self.count = count
    }
}
