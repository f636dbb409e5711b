package import YonderModel

/// Some of the users with a session on a node.
///
/// The other nodes replace the users of a node once all its pages have come. A page fits a frame.
package struct PresencePage: Hashable, Sendable {
    /// The most users of a page.
    package static let userLimit = 10_000

    /// The most pages: those of ten million users.
    package static let limit = 1_000

    /// The users.
    package let users: [UserID]

    /// The page's number, from 0.
    package let number: Int

    /// How many pages there are.
    package let count: Int

    /// Whether no page follows.
    package var isLast: Bool { number >= count - 1 }

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - users: The users, at most ``userLimit``.
    ///   - number: The page's number, in `0..<count`.
    ///   - count: How many pages there are, from 1 to ``limit``.
    package init(users: [UserID], number: Int = 0, count: Int = 1) {
        self.users = users
        self.number = number
        self.count = count
    }
}
