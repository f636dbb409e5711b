import YonderGeodesy

/// Somebody on the map: there once for each chat they are in, at their last position in it.
package struct Person: Hashable, Sendable {
    /// What names them there.
    package struct Key: Hashable, Sendable {
        /// In which chat.
        package let chat: ChatID

        /// Who.
        package let user: UserID

        /// Creates a name.
        package init(chat: ChatID, user: UserID) {
            self.chat = chat
            self.user = user
        }
    }

    /// What names them.
    package let key: Key

    /// What they are called.
    package let name: String

    /// Where they were, and which message says so.
    package let sighting: Sighting

    /// Puts somebody somewhere.
    package init(key: Key, name: String, sighting: Sighting) {
        self.key = key
        self.name = name
        self.sighting = sighting
    }
}

/// Who is or was on the map, by the numbers that the index has for them, and what its viewers may see.
///
/// Apart from the map, as live regions ask here while the map tells them what happens.
final class PeopleRoll {
    /// What is known of one person in one chat.
    struct Entry: Hashable {
        let key: Person.Key
        var name: String?
        var sighting: Sighting?

        /// Where they are on the map: nowhere until both name and position are known.
        var place: Coordinate.Rounded? { name == nil ? nil : sighting?.place }
    }

    private var entries: [Entry] = []
    private var free: [PointIndex.ID] = []

    // Numbers of who is gone, that somebody may still have to be told of, and how many are looked through.
    private var retired: [PointIndex.ID] = []
    private var retiredLimit = 1

    subscript(id: PointIndex.ID) -> Entry {
        get { entries[Int(id)] }
        set { entries[Int(id)] = newValue }
    }

    /// Whether a viewer may see somebody where they are now.
    func isVisible(_ id: PointIndex.ID, to viewer: PeopleViewer) -> Bool {
        let index = Int(id)
        guard let number = entries[index].sighting?.number else { return false }
        return viewer.maySee(entries[index].key, number: number)
    }

    /// Gives somebody a number.
    func insert(_ entry: Entry) -> PointIndex.ID {
        if let id = free.popLast() {
            entries[Int(id)] = entry
            return id
        }
        entries.append(entry)
        return PointIndex.ID(entries.count - 1)
    }

    /// Takes a number back, for another to have once it was released.
    func retire(_ id: PointIndex.ID) {
        retired.append(id)
    }

    /// Lets the numbers of who is gone be used again; once they are twice as many as were held the last time.
    func release(unless isHeld: (PointIndex.ID) -> Bool) {
        guard retired.count >= retiredLimit else { return }
        free += retired.filter { !isHeld($0) }
        retired.removeAll { !isHeld($0) }
        retiredLimit = max(1, 2 * retired.count)
    }
}

/// A user who watches the map, and what they may read.
final class PeopleViewer {
    let user: UserID

    /// How often they watch, or are about to.
    var visits = 1

    /// Which listing of their chats is waited for or was taken: an older one is of no use.
    let listing: Int

    /// Whether their chats are known.
    var isListed = false

    /// Chats of theirs that are being read.
    var missing: Set<ChatID> = []

    /// What they may read now of the chats that they are in.
    var readable: [ChatID: [ParticipationSpan]] = [:]

    init(_ user: UserID, listing: Int) {
        self.user = user
        self.listing = listing
    }

    /// Whether all that they may see is on the map.
    var isReady: Bool { isListed && missing.isEmpty }

    /// Whether they may see somebody else by the message of a number.
    func maySee(_ person: Person.Key, number: Int64) -> Bool {
        guard person.user != user, let spans = readable[person.chat] else { return false }
        return spans.contains { $0.contains(number) }
    }
}
