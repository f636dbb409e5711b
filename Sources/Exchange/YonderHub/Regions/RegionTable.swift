/// The rooms of one event loop: one for each index with at least one live region.
///
/// `LiveRegions` has one, on its loop. It is a plain value, and nothing fails. A room that is marked twice is taken
/// once; one that was removed isn't taken. Two indexes of one entity, before and after its location field changed, have
/// two rooms.
struct RegionTable {
    private(set) var rooms: [ObjectIdentifier: RegionRoom] = [:]
    private var dirty: [RegionRoom] = []

    /// Returns the room over an index, creating it if there is none.
    mutating func room(over index: AnyObject, make: (ObjectIdentifier) -> RegionRoom) -> RegionRoom {
        let key = ObjectIdentifier(index)
        if let room = rooms[key] { return room }
        let room = make(key)
        rooms[key] = room
        return room
    }

    /// Ends a room without viewers.
    mutating func removeIfEmpty(_ room: RegionRoom) {
        guard room.isEmpty, rooms[room.key] === room else { return }
        rooms[room.key] = nil
        // No viewer is left to receive frames: one that subscribes again gets a new room.
        dirty.removeAll { $0 === room }
        room.end()
    }

    /// Call this when a room has changes to send at the end of the round.
    mutating func mark(_ room: RegionRoom) {
        dirty.append(room)
    }

    /// Returns and clears the list of rooms with changes.
    mutating func takeDirty() -> [RegionRoom] {
        defer { dirty.removeAll(keepingCapacity: true) }
        return dirty
    }
}
