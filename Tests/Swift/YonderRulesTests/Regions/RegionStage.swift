import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

/// Things on a map, their live regions, and what clients make of what they are told.
struct RegionStage: ~Copyable {
    /// A thing as somebody may have been told of it.
    struct Thing: Hashable {
        var place: Coordinate.Rounded
        var version: Int
    }

    /// What one client has.
    struct Client {
        var region: Region
        let limit: Int
        var hidden: Hidden
        var things: [UInt32: Thing] = [:]
        var total: Int?

        /// What was inside, and visible, all the time since the client was told last.
        var remained: Set<UInt32> = []
    }

    /// What a client may not see.
    final class Hidden {
        var ids: Set<UInt32> = []
    }

    private(set) var index = PointIndex()
    private(set) var board = RegionBoard()
    private(set) var things: [UInt32: Thing] = [:]
    private(set) var clients: [RegionBoard.Watcher: Client] = [:]
    private var unpassed: Set<RegionBoard.Watcher> = []

    mutating func begin(_ region: Region, limit: Int, isFiltered: Bool) -> RegionBoard.Watcher {
        let hidden = Hidden()
        if isFiltered { hidden.ids = Set(things.keys.filter { $0 % 3 == 0 }) }
        let watcher = board.begin(
            region,
            limit: limit,
            in: index,
            isVisible: isFiltered ? { !hidden.ids.contains($0) } : nil
        )
        clients[watcher] = Client(region: region, limit: limit, hidden: hidden)
        return watcher
    }

    mutating func end(_ watcher: RegionBoard.Watcher) {
        board.end(watcher)
        clients[watcher] = nil
        unpassed.remove(watcher)
    }

    mutating func move(_ watcher: RegionBoard.Watcher, to region: Region) {
        board.move(watcher, to: region, in: index)
        clients[watcher]?.region = region
        noteWhoLeft()
    }

    /// Hides what a client sees, or shows what it doesn't.
    mutating func toggle(_ id: UInt32, for watcher: RegionBoard.Watcher) {
        guard let hidden = clients[watcher]?.hidden, let place = things[id]?.place else { return }
        if hidden.ids.remove(id) != nil {
            board.appeared(id, at: place, to: watcher)
        } else {
            hidden.ids.insert(id)
            board.disappeared(id, at: place, to: watcher)
        }
        noteWhoLeft()
    }

    mutating func insert(_ id: UInt32, at place: Coordinate.Rounded) {
        things[id] = Thing(place: place, version: 0)
        index.insert(id, at: place)
        receive(.inserted(id, at: place))
    }

    mutating func move(_ id: UInt32, to place: Coordinate.Rounded) {
        guard let from = things[id]?.place else { return }
        things[id]?.place = place
        index.move(id, to: place)
        receive(.moved(id, from: from, to: place))
    }

    mutating func change(_ id: UInt32) {
        guard let place = things[id]?.place else { return }
        things[id]?.version += 1
        receive(.changed(id, at: place))
    }

    mutating func remove(_ id: UInt32) {
        guard let place = things.removeValue(forKey: id)?.place else { return }
        index.remove(id)
        receive(.removed(id, at: place))
    }

    private mutating func receive(_ event: IndexEvent) {
        board.receive(event)
        noteWhoLeft()
    }

    private mutating func noteWhoLeft() {
        for watcher in clients.keys {
            let inside = self.inside(watcher)
            clients[watcher]?.remained.formIntersection(inside)
        }
    }

    /// Ends the round: passes on what is to be told to those who can take it now.
    mutating func distribute(to canTake: (RegionBoard.Watcher) -> Bool = { _ in true }) {
        unpassed.formUnion(board.takeDirty())
        for watcher in unpassed where canTake(watcher) {
            unpassed.remove(watcher)
            drain(watcher)
        }
    }

    private mutating func drain(_ watcher: RegionBoard.Watcher) {
        guard var client = clients[watcher] else { return }
        var seen: Set<UInt32> = []
        let total = board.drain(watcher, in: index) { id, passage in
            #expect(seen.insert(id).inserted, "told twice in a round")
            let thing = things[id]
            switch passage {
            case .entered: #expect(client.things.updateValue(thing ?? .nowhere, forKey: id) == nil)
            case .changed: #expect(client.things.updateValue(thing ?? .nowhere, forKey: id) != nil)
            case .left: #expect(client.things.removeValue(forKey: id) != nil)
            case .moved:
                #expect(client.things[id] != nil)
                client.things[id]?.place = thing?.place ?? Thing.nowhere.place
            }
            #expect(client.things.count <= client.limit)
        }
        client.total = total ?? client.total
        #expect(client.remained.isSubset(of: client.things.keys), "what stays inside stays on the list")
        client.remained = Set(client.things.keys)
        clients[watcher] = client
    }

    /// Compares what a client has with a fresh look at everything.
    func check(_ watcher: RegionBoard.Watcher, _ comment: Comment) {
        guard let client = clients[watcher] else { return }
        let inside = self.inside(watcher)
        #expect(client.total == inside.count, comment)
        #expect(client.things.count == min(client.limit, inside.count), comment)
        #expect(inside.isSuperset(of: client.things.keys), comment)
        for (id, thing) in client.things { #expect(thing == things[id], comment) }
    }

    private func inside(_ watcher: RegionBoard.Watcher) -> Set<UInt32> {
        guard let client = clients[watcher] else { return [] }
        let inside = things.filter { client.region.contains($0.value.place) }
        return Set(inside.keys).subtracting(client.hidden.ids)
    }
}

extension RegionStage.Thing {
    fileprivate static let nowhere = RegionStage.Thing(
        place: Coordinate.Rounded(latitude: 0, longitude: 0) ?? Region.everywhere.center.rounded,
        version: -1
    )
}
