package import YonderModel

/// The users whom viewers are shown as they were at a block: two users, of whom one blocks the other, without a common
/// group.
///
/// Such a user has the name and the hue of that time, and neither an e-mail address nor a picture.
///
/// The stores make one with each answer about people; chat lists, the map of people and profiles apply it before they
/// show anyone. It is a plain value, and nothing fails. That neither side sees what the other changed after the block
/// must stay (decision 37, `StoreRule+People.swift`).
package struct Partings: Hashable, Sendable {
    private var users: [UserID: [UserID: User]] = [:]

    /// Creates a table without any.
    package init() {}

    /// Adds a user as a viewer is shown them.
    package mutating func insert(_ user: User, seenBy viewer: UserID) {
        users[viewer, default: [:]][user.id] = user
    }

    /// Users as a viewer is shown them.
    package func applied(to all: [UserID: User], for viewer: UserID) -> [UserID: User] {
        guard users[viewer] != nil else { return all }
        return all.mapValues { applied(to: $0, for: viewer) }
    }

    /// Whether one of two users blocks the other, and no group has both.
    package func part(_ user: UserID, _ viewer: UserID) -> Bool { users[viewer]?[user] != nil }

    /// A user as a viewer is shown them.
    package func applied(to user: User, for viewer: UserID) -> User {
        guard let parted = users[viewer]?[user.id] else { return user }
        // A server of an earlier version, in the same cluster, keeps no name.
        return parted.name.isEmpty ? User(id: user.id, name: user.name, hue: user.hue) : parted
    }
}

/// A block as a store keeps it, with both users' names and hues as they were when it was made.
package struct KeptBlock: Hashable, Sendable {
    /// The user that made the block.
    package let blocker: User

    /// The user that ``blocker`` blocks.
    package let blocked: User

    /// Creates a block; of the users, only ids, names and hues are kept.
    package init(by blocker: User, of blocked: User) {
        self.blocker = User(id: blocker.id, name: blocker.name, hue: blocker.hue)
        self.blocked = User(id: blocked.id, name: blocked.name, hue: blocked.hue)
    }

    /// The block in the other direction, while this one holds: with the names of this one.
    package var reversed: KeptBlock { KeptBlock(by: blocked, of: blocker) }
}

extension Partings {
    /// Adds both users of a block, each as the other one is shown them, if the other one is a viewer and they a subject.
    package mutating func insert(_ block: KeptBlock, subjects: Set<UserID>, viewers: Set<UserID>) {
        for (subject, viewer) in [(block.blocker, block.blocked), (block.blocked, block.blocker)]
        where subjects.contains(subject.id) && viewers.contains(viewer.id) {
            insert(subject, seenBy: viewer.id)
        }
    }
}
