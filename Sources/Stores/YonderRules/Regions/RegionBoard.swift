package import YonderGeodesy
import YonderModel

/// The live regions of one event loop: which region each viewer watches, and the changes still to be sent.
///
/// Pass every event to ``receive(_:)``. At the end of a round, ``takeDirty()`` returns the viewers with
/// changes, and ``drain(_:in:while:_:)`` the changes of one. The board doesn't own the index: whenever a call
/// takes the index, it must already include every event received. A viewer with a full outbox is skipped, and
/// later gets the state at that time, not the steps in between.
///
/// `RegionRoom` of the hub has one for an index and calls it on its event loop. Nothing fails, but an unknown watcher is
/// ignored. Which regions an event concerns is decided in ``RegionInterest``, what a viewer has in ``LiveRegion``. A
/// number must not be reused while ``isHeld(_:)`` says that a viewer shows the item (decision 9, `LiveRegionTests`).
package struct RegionBoard {
    /// A small integer that names a live region; reused after the region ends.
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

    /// The number of live regions.
    package var count: Int { interest.count }

    /// Begins a live region.
    ///
    /// Its first ``drain(_:in:while:_:)`` yields the whole list and the total.
    ///
    /// - Parameters:
    ///   - region: The region to watch.
    ///   - limit: The most items that the list holds.
    ///   - index: The positions of all items.
    ///   - isVisible: Returns whether the viewer may see an item, or `nil` if every item is visible.
    /// - Returns: The name of the live region, valid until ``end(_:)``.
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

    /// Moves a live region.
    ///
    /// Its next ``drain(_:in:while:_:)`` yields the difference.
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

    /// The number of items inside a live region, listed or not.
    package func total(of watcher: Watcher) -> Int {
        regions[Int(watcher)]?.total ?? 0
    }

    /// Whether a live region has changes to send, or a free slot to fill.
    package func isDirty(_ watcher: Watcher) -> Bool {
        regions[Int(watcher)]?.isDirty ?? false
    }

    /// A live region, or `nil` if it ended.
    package func region(_ watcher: Watcher) -> LiveRegion? {
        regions[Int(watcher)]
    }

    /// Records an event of an item.
    ///
    /// - Complexity: Proportional to the regions near the item, not to all regions.
    package mutating func receive(_ event: IndexEvent) {
        matches.removeAll(keepingCapacity: true)
        interest.find(event, into: &matches)
        for match in matches {
            regions[Int(match.watcher)]?.receive(match.passage, of: event.id)
            touch(match.watcher)
        }
    }

    /// Call this when one viewer may now see an item that was hidden before.
    package mutating func appeared(
        _ id: PointIndex.ID,
        at coordinate: Coordinate.Rounded,
        to watcher: Watcher
    ) {
        regions[Int(watcher)]?.appeared(id, at: coordinate)
        touch(watcher)
    }

    /// Call this when one viewer may no longer see an item.
    package mutating func disappeared(
        _ id: PointIndex.ID,
        at coordinate: Coordinate.Rounded,
        to watcher: Watcher
    ) {
        regions[Int(watcher)]?.disappeared(id, at: coordinate)
        touch(watcher)
    }

    /// The live regions that became dirty since the last call, each once.
    ///
    /// Drain each as soon as its viewer can receive.
    package mutating func takeDirty() -> [Watcher] {
        var concerned: [Watcher] = []
        for watcher in dirty {
            isDirty[Int(watcher)] = false
            if regions[Int(watcher)]?.isDirty ?? false { concerned.append(watcher) }
        }
        dirty.removeAll(keepingCapacity: true)
        return concerned
    }

    /// Yields a live region's queued changes and marks them as sent: see ``LiveRegion/drain(while:_:)``.
    ///
    /// - Returns: The total if it differs from the last one returned, or else `nil`.
    package mutating func drain(
        _ watcher: Watcher,
        in index: borrowing PointIndex,
        while hasRoom: () -> Bool = { true },
        _ tell: (PointIndex.ID, Passage) -> Void
    ) -> Int? {
        regions[Int(watcher)]?.settle(in: index)
        // Moved out of `self` while the region updates the counts, so that the array isn't copied.
        var holders: [UInt32] = []
        swap(&holders, &self.holders)
        defer { swap(&holders, &self.holders) }
        return regions[Int(watcher)]?.drain(while: hasRoom) { id, passage in
            Self.count(passage, of: id, in: &holders)
            tell(id, passage)
        }
    }

    /// Whether a viewer still shows this item.
    ///
    /// While it is `true` for a removed item, the item's number must not be reused.
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
