/// The rooms of one event loop: one for each index in which somebody watches a region.
struct RegionTable {
    private(set) var rooms: [ObjectIdentifier: RegionRoom] = [:]
    private var dirty: [RegionRoom] = []

    /// The room over an index, which is made if there is none.
    mutating func room(over index: AnyObject, make: (ObjectIdentifier) -> RegionRoom) -> RegionRoom {
        let key = ObjectIdentifier(index)
        if let room = rooms[key] { return room }
        let room = make(key)
        rooms[key] = room
        return room
    }

    /// Ends a room in which nobody watches.
    mutating func removeIfEmpty(_ room: RegionRoom) {
        guard room.isEmpty, rooms[room.key] === room else { return }
        rooms[room.key] = nil
        // Nobody is left to be sent anything: a viewer that subscribes again gets a new room.
        dirty.removeAll { $0 === room }
        room.end()
    }

    /// Takes in that a room has to tell something at the round's end.
    mutating func mark(_ room: RegionRoom) {
        dirty.append(room)
    }

    /// Hands out the rooms that have.
    mutating func takeDirty() -> [RegionRoom] {
        defer { dirty.removeAll(keepingCapacity: true) }
        return dirty
    }
}
