package import YonderGeodesy

/// The live regions of one event loop: who watches where, and what each is to be told.
///
/// Give it what happens by ``receive(_:)``. At the round's end ``takeDirty()`` says who may have to be told something;
/// ``drain(_:in:while:_:)`` what. The index isn't its own: it is to be as it is after the last event received whenever it is
/// given here. Who can't take more isn't drained until they can, and is then told what is so by then.
package struct RegionBoard {
    /// A small integer that names a live region; used again once it ended.
    package typealias Watcher = RegionInterest.Watcher

    private var interest = RegionInterest()
    private var regions: [LiveRegion?] = []
    private var isDirty: [Bool] = []
    private var freeWatchers: [Watcher] = []
    private var dirty: [Watcher] = []
    private var matches: [RegionInterest.Match] = []
    private var holders: [UInt32] = []

    /// Creates a board without live regions.
    package init() {}

    /// How many live regions there are.
    package var count: Int { interest.count }

    /// Begins a live region; its first ``drain(_:in:while:_:)`` is the answer: list and total.
    ///
    /// - Parameters:
    ///   - region: What is watched.
    ///   - limit: How many things are told of at most.
    ///   - index: Where everything is.
    ///   - isVisible: Whether a thing may be seen, or `nil` if all may.
    /// - Returns: Its name until ``end(_:)``.
    package mutating func begin(
        _ region: Region,
        limit: Int,
        in index: borrowing PointIndex,
        isVisible: LiveRegion.Visibility? = nil
    ) -> Watcher {
        let watcher = freeWatchers.popLast() ?? Watcher(regions.count)
        if Int(watcher) == regions.count {
            regions.append(nil)
            isDirty.append(false)
        }
        regions[Int(watcher)] = LiveRegion(region, limit: limit, in: index, isVisible: isVisible)
        interest.watch(region, by: watcher)
        touch(watcher)
        return watcher
    }

    /// Moves a live region; its next ``drain(_:in:while:_:)`` is the difference.
    package mutating func move(_ watcher: Watcher, to region: Region, in index: borrowing PointIndex) {
        guard regions[Int(watcher)] != nil else { return }
        regions[Int(watcher)]?.move(to: region, in: index)
        interest.watch(region, by: watcher)
        touch(watcher)
    }

    /// Ends a live region.
    package mutating func end(_ watcher: Watcher) {
        guard let region = regions[Int(watcher)] else { return }
        for id in region.known { holders[Int(id)] -= 1 }
        regions[Int(watcher)] = nil
        interest.remove(watcher)
        freeWatchers.append(watcher)
    }

    /// How many things are inside a live region, listed or not.
    package func total(of watcher: Watcher) -> Int {
        regions[Int(watcher)]?.total ?? 0
    }

    /// Whether a watcher has to be told something, or about to be.
    package func isDirty(_ watcher: Watcher) -> Bool {
        regions[Int(watcher)]?.isDirty ?? false
    }

    /// A live region, or `nil` if it ended.
    package func region(_ watcher: Watcher) -> LiveRegion? {
        regions[Int(watcher)]
    }

    /// Takes in what happened to a thing.
    ///
    /// Costs what watches there, not what watches.
    package mutating func receive(_ event: PlaceEvent) {
        matches.removeAll(keepingCapacity: true)
        interest.find(event, into: &matches)
        for match in matches {
            regions[Int(match.watcher)]?.receive(match.passage, of: event.id)
            touch(match.watcher)
        }
    }

    /// Takes in that one watcher may see a thing that they couldn't.
    package mutating func appeared(_ id: PointIndex.ID, at place: Coordinate.Rounded, to watcher: Watcher) {
        regions[Int(watcher)]?.appeared(id, at: place)
        touch(watcher)
    }

    /// Takes in that one watcher may no longer see a thing.
    package mutating func disappeared(_ id: PointIndex.ID, at place: Coordinate.Rounded, to watcher: Watcher)
    {
        regions[Int(watcher)]?.disappeared(id, at: place)
        touch(watcher)
    }

    /// Who may have to be told something since this was last asked: each once, and theirs to be drained when they can.
    package mutating func takeDirty() -> [Watcher] {
        var concerned: [Watcher] = []
        for watcher in dirty {
            isDirty[Int(watcher)] = false
            if regions[Int(watcher)]?.isDirty ?? false { concerned.append(watcher) }
        }
        dirty.removeAll(keepingCapacity: true)
        return concerned
    }

    /// Says what a watcher is to be told, and takes it as told: see ``LiveRegion/drain(while:_:)``.
    ///
    /// - Returns: The total, if it isn't the one told last.
    package mutating func drain(
        _ watcher: Watcher,
        in index: borrowing PointIndex,
        while hasRoom: () -> Bool = { true },
        _ tell: (PointIndex.ID, Passage) -> Void
    ) -> Int? {
        regions[Int(watcher)]?.settle(in: index)
        // Taken out of `self` for as long as the region counts in it, and not copied.
        var holders: [UInt32] = []
        swap(&holders, &self.holders)
        defer { swap(&holders, &self.holders) }
        return regions[Int(watcher)]?.drain(while: hasRoom) { id, passage in
            Self.count(passage, of: id, in: &holders)
            tell(id, passage)
        }
    }

    /// Whether somebody who was told of a thing hasn't been told yet that it left.
    ///
    /// As long as that is so for a thing that was removed, its number must not be used for another.
    package func isHeld(_ id: PointIndex.ID) -> Bool {
        Int(id) < holders.count && holders[Int(id)] > 0
    }

    private static func count(_ passage: Passage, of id: PointIndex.ID, in holders: inout [UInt32]) {
        switch passage {
        case .entered:
            if Int(id) >= holders.count {
                let missing = max(Int(id) + 1, 2 * holders.count) - holders.count
                holders.append(contentsOf: repeatElement(0, count: missing))
            }
            holders[Int(id)] += 1
        case .left: holders[Int(id)] -= 1
        case .moved, .changed: break
        }
    }

    @inline(__always)
    private mutating func touch(_ watcher: Watcher) {
        guard !isDirty[Int(watcher)] else { return }
        isDirty[Int(watcher)] = true
        dirty.append(watcher)
    }
}
