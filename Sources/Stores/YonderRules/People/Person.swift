import YonderGeodesy
package import YonderModel

// One person on the map, and what `PeopleMap` keeps of people and viewers. All three types belong to the event loop of their
// map, and no function throws. `PeopleMap` alone changes the roll and the viewers; further state of a person belongs into
// `PeopleRoll.Entry`.

/// A user on the map: one entry per shared chat, at the user's last position in that chat.
///
/// `PeopleMap.person(_:)` makes one for each person whom `PeopleFeed` of the hub writes into a live region's frame. Which
/// viewers receive it is decided in ``PeopleMap``, by decision 13; the JSON that the frame has of it is the stream's
/// (`Documentation/stream.md`).
package struct Person: Hashable, Sendable {
    /// The identity of a person on the map.
    package struct Key: Hashable, Sendable {
        /// The chat.
        package let chat: ChatID

        /// The user.
        package let user: UserID

        /// Creates a key.
        package init(chat: ChatID, user: UserID) {
            self.chat = chat
            self.user = user
        }
    }

    /// The chat and the user.
    package let key: Key

    /// The user's name.
    package let name: String

    /// The position, and the number of the message that gives it.
    package let sighting: Sighting

    /// Creates a person at a position.
    package init(key: Key, name: String, sighting: Sighting) {
        self.key = key
        self.name = name
        self.sighting = sighting
    }
}

/// The entries of all people on the map by index number, and whether a viewer may see each.
///
/// ``PeopleMap`` owns it, and calls for each person ``insert(_:)``, any number of changes, ``retire(_:)`` once, and later
/// ``release(unless:)``. A number stays valid until its release, because an update that waits may name it; a number that was
/// released or never given out is a mistake of the caller's, and may trap.
///
/// Separate from ``PeopleMap``, because live regions query visibility while the map is sending them an event.
final class PeopleRoll {
    /// The data of one person in one chat.
    struct Entry: Hashable {
        let key: Person.Key
        var name: String?
        var sighting: Sighting?

        /// The position on the map; `nil` until both name and position are known.
        var coordinate: Coordinate.Rounded? { name == nil ? nil : sighting?.coordinate }
    }

    /// The entries by number; those of free numbers are old.
    private var entries: [Entry] = []

    /// The numbers that the next people get.
    private var free: [PointIndex.ID] = []

    // The numbers of removed people that unsent updates may still refer to, and the count at which they are
    // examined next.
    private var retired: [PointIndex.ID] = []
    private var retiredLimit = 1

    /// The entry of a number that was inserted and not released.
    subscript(id: PointIndex.ID) -> Entry {
        get { entries[Int(id)] }
        set { entries[Int(id)] = newValue }
    }

    /// Whether a viewer may see a person at the current position.
    func isVisible(_ id: PointIndex.ID, to viewer: PeopleViewer) -> Bool {
        let index = Int(id)
        guard let number = entries[index].sighting?.number else { return false }
        return viewer.maySee(entries[index].key, number: number)
    }

    /// Stores an entry and returns its number.
    func insert(_ entry: Entry) -> PointIndex.ID {
        if let id = free.popLast() {
            entries[Int(id)] = entry
            return id
        }
        entries.append(entry)
        return PointIndex.ID(entries.count - 1)
    }

    /// Marks a number as free to be reused after the next ``release(unless:)`` that allows it.
    func retire(_ id: PointIndex.ID) {
        retired.append(id)
    }

    /// Frees retired numbers that aren't held; runs only once there are twice as many as were left held the
    /// last time.
    func release(unless isHeld: (PointIndex.ID) -> Bool) {
        guard retired.count >= retiredLimit else { return }
        free += retired.filter { !isHeld($0) }
        retired.removeAll { !isHeld($0) }
        retiredLimit = max(1, 2 * retired.count)
    }
}

/// A user who watches the map, and the messages that the user may read.
///
/// ``PeopleMap`` makes one at the user's first `enter(_:)`, fills it with the answers of the stores, and drops it at the
/// last `leave(_:)`. An answer for an earlier viewer of the same user is recognized by ``listing``.
final class PeopleViewer {
    let user: UserID

    /// The number of live regions that the user has open or is about to open.
    var visits = 1

    /// The number of the newest request for the user's chats; answers to older requests are ignored.
    let listing: Int

    /// Whether the list of the user's chats has arrived.
    var isListed = false

    /// The user's chats that are still being read.
    var missing: Set<ChatID> = []

    /// The spans of messages that the user may read, by chat.
    var readable: [ChatID: [ParticipationSpan]] = [:]

    init(_ user: UserID, listing: Int) {
        self.user = user
        self.listing = listing
    }

    /// Whether everything that the user may see is on the map.
    var isReady: Bool { isListed && missing.isEmpty }

    /// Whether the user may see another person by the message with a given number.
    func maySee(_ person: Person.Key, number: Int64) -> Bool {
        guard person.user != user, let spans = readable[person.chat] else { return false }
        return spans.contains { $0.contains(number) }
    }
}
