import YonderGeodesy
import YonderModel
import YonderRules

/// Images in memory.
struct MemoryImages: Sendable {
    private struct Entry {
        let image: StoredImage
        var messages: Set<Message.ID> = []
        /// Whether something has named it.
        var wasNamed = false
    }

    private var entries: [ImageID: Entry] = [:]

    subscript(id: ImageID) -> (image: StoredImage, messages: [Message.ID])? {
        entries[id].map { ($0.image, Array($0.messages)) }
    }

    mutating func add(_ image: StoredImage) throws(SharingError) {
        let loose = entries.values.count { $0.image.owner == image.owner && !$0.wasNamed }
        guard loose < StoredImage.looseLimit else { throw .tooManyLooseImages }
        entries[image.id] = Entry(image: image)
    }

    /// Called when a message was stored; the image that a `Photo` names is no longer loose.
    mutating func note(_ message: Message) {
        guard message.tag == .photo, let id = message.data?.image, let entry = entries[id] else { return }
        guard entry.image.owner == message.sender, entry.messages.count < StoredImage.messageLimit else {
            return
        }
        entries[id]?.messages.insert(message.id)
        entries[id]?.wasNamed = true
    }

    /// Removes what nothing names any more.
    ///
    /// - Parameters:
    ///   - hasData: Whether a message still has what it named.
    ///   - avatar: The picture that a user's profile names.
    mutating func settle(hasData: (Message.ID) -> Bool, avatar: (UserID) -> String?) {
        for (id, entry) in entries {
            let messages = entry.messages.filter(hasData)
            let isNamed = !messages.isEmpty || avatar(entry.image.owner) == StoredImage.path(id)
            if entry.wasNamed, !isNamed {
                entries[id] = nil
            } else {
                entries[id] = Entry(image: entry.image, messages: messages, wasNamed: isNamed)
            }
        }
    }

    mutating func removeLoose(before time: Timestamp) -> Int {
        let loose = entries.values.filter { !$0.wasNamed && $0.image.created < time }.map(\.image.id)
        for id in loose { entries[id] = nil }
        return loose.count
    }
}
