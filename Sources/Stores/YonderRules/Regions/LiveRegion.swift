package import YonderGeodesy
import YonderModel

/// The state of one viewer's live region: the items the viewer has, the changes not yet sent, and the exact
/// total.
///
/// ``RegionBoard`` owns one for each viewer, and `RegionRoom` of the hub the board: all calls come from one event loop,
/// and nothing fails. A round is what that loop gathers before it sends (`Pacing`). Events are collected by
/// ``receive(_:of:)``. ``settle(in:)`` and ``drain(while:_:)``, called at the end of a round or when the viewer can
/// receive again, then yield each changed item once, however often it moved, and nothing for an item that entered and
/// left in between.
///
/// With more items inside than the limit, the list holds some of them by this rule: *an item on the list stays until it
/// leaves the region. A free slot goes to the next item that enters; slots still free at the end of the round go to
/// other items inside, in the index's order.* The total always counts every visible item inside. The rule is promised in
/// `Documentation/stream.md`, its reasons are in decision 9. It must stay, as `LiveRegionTests` holds it against fresh
/// queries; `Benchmarks/places` measures the cost.
package struct LiveRegion {
    /// Returns whether the viewer may see an item.
    package typealias Visibility = (PointIndex.ID) -> Bool

    /// The region that is watched.
    package private(set) var region: Region

    /// The most items that the list holds.
    package let limit: Int

    /// The number of visible items inside.
    package private(set) var total = 0

    private let isVisible: Visibility?
    private var marks = MarkTable()
    private var chosen = 0

    // The queue: items with a change to send, each at most once. Bounded by `compact()`. Whether an item is on the viewer's
    // list is its mark `chosen`, not this.
    private var listed: [PointIndex.ID] = []
    // The total that was last sent.
    private var toldTotal: Int?

    /// Creates the state of a viewer that has received nothing yet, with the list already filled from the
    /// index.
    ///
    /// - Parameters:
    ///   - region: The region to watch.
    ///   - limit: The most items that the list holds; a negative limit counts as zero.
    ///   - index: The positions of all items.
    ///   - isVisible: Returns whether the viewer may see an item, or `nil` if every item is visible. Call
    ///     ``appeared(_:at:)`` or ``disappeared(_:at:)`` once whenever the answer for an item changes: a call that is left
    ///     out or comes twice makes ``total`` wrong until the region is moved. With a filter, each query of the index
    ///     visits every item inside.
    package init(
        _ region: Region,
        limit: Int,
        in index: borrowing PointIndex,
        isVisible: Visibility? = nil
    ) {
        self.region = region
        self.limit = max(0, limit)
        self.isVisible = isVisible
        total = count(in: index)
        settle(in: index)
    }

    /// Whether a change is waiting to be sent, or a free slot of the list can be given to an item inside.
    package var isDirty: Bool { !listed.isEmpty || total != toldTotal || isShort }

    /// The items that the viewer has: sent, and not yet removed.
    package var known: [PointIndex.ID] { marks.all.filter { $0.mark.contains(.known) }.map(\.id) }

    /// The number of queued changes, obsolete ones included: a few times the limit at most.
    var waiting: Int { listed.count }

    private var isShort: Bool { chosen < min(limit, total) }

    // MARK: Events

    /// Records an event of an item that is or was inside.
    @inline(__always)
    package mutating func receive(_ passage: Passage, of id: PointIndex.ID) {
        switch passage {
        case .moved: note(.moved, of: id)
        case .changed: note(.changed, of: id)
        case .entered: if isVisible?(id) ?? true { add(id) }
        case .left: if isVisible?(id) ?? true { subtract(id) }
        }
    }

    /// Call this when the viewer may now see an item that was hidden before.
    package mutating func appeared(_ id: PointIndex.ID, at coordinate: Coordinate.Rounded) {
        if region.contains(coordinate) { add(id) }
    }

    /// Call this when the viewer may no longer see an item.
    package mutating func disappeared(_ id: PointIndex.ID, at coordinate: Coordinate.Rounded) {
        if region.contains(coordinate) { subtract(id) }
    }

    /// Moves the region.
    ///
    /// Items of the viewer's list that are still inside stay on it.
    ///
    /// - Complexity: The number of items on the list, plus one query of the index.
    ///
    /// - Parameters:
    ///   - region: The region to watch from now on.
    ///   - index: The positions of all items, after every event received so far.
    package mutating func move(to region: Region, in index: borrowing PointIndex) {
        self.region = region
        for (id, mark) in marks.all where mark.contains(.chosen) {
            if let coordinate = index.coordinate(of: id), region.contains(coordinate) { continue }
            drop(id)
        }
        total = count(in: index)
        settle(in: index)
    }

    /// Fills free slots of the list with items inside.
    ///
    /// Call it before ``drain(while:_:)``.
    ///
    /// - Parameter index: The positions of all items, after every event received so far.
    package mutating func settle(in index: borrowing PointIndex) {
        guard isShort else { return }
        for id in candidates(in: index) where isShort {
            if !isChosen(id) { choose(id) }
        }
    }

    // MARK: Changes to send

    /// Yields the queued changes and marks them as sent.
    ///
    /// Removals come first, so that a viewer never holds more than the limit. Send an entered or changed item
    /// whole, and a moved one by its position alone.
    ///
    /// - Parameters:
    ///   - hasRoom: Returns whether another change that isn't a removal fits. Once it returns `false`, the
    ///     rest is kept for the next call, and the region stays dirty.
    ///   - tell: Called with each change to send.
    /// - Returns: The total if it differs from the last one returned, or else `nil`.
    package mutating func drain(
        while hasRoom: () -> Bool = { true },
        _ tell: (PointIndex.ID, Passage) -> Void
    ) -> Int? {
        for id in listed { tellIfLeft(id, tell) }
        var told = 0
        while told < listed.count, hasRoom() {
            tellIfChosen(listed[told], tell)
            told += 1
        }
        forget(first: told)
        defer { toldTotal = total }
        return total == toldTotal ? nil : total
    }

    /// Removes the first changes, which have been sent, from the queue.
    private mutating func forget(first told: Int) {
        guard told < listed.count else { return listed.removeAll(keepingCapacity: true) }
        listed = listed[told...].filter { id in
            marks.position(of: id).map { marks[$0].contains(.listed) } ?? false
        }
    }

    private mutating func tellIfLeft(_ id: PointIndex.ID, _ tell: (PointIndex.ID, Passage) -> Void) {
        guard let position = marks.position(of: id) else { return }
        let mark = marks[position]
        if mark.contains(.chosen) { return }
        marks.remove(at: position)
        if mark.contains(.known) { tell(id, .left) }
    }

    private mutating func tellIfChosen(_ id: PointIndex.ID, _ tell: (PointIndex.ID, Passage) -> Void) {
        guard let position = marks.position(of: id) else { return }
        let mark = marks[position]
        marks[position] = [.known, .chosen]
        if !mark.contains(.known) {
            tell(id, .entered)
        } else if mark.contains(.changed) {
            tell(id, .changed)
        } else if mark.contains(.moved) {
            tell(id, .moved)
        }
    }

    // MARK: The list

    private mutating func add(_ id: PointIndex.ID) {
        total += 1
        if chosen < limit { choose(id) }
    }

    private mutating func subtract(_ id: PointIndex.ID) {
        total -= 1
        if isChosen(id) { drop(id) }
    }

    private func isChosen(_ id: PointIndex.ID) -> Bool {
        marks.position(of: id).map { marks[$0].contains(.chosen) } ?? false
    }

    @inline(__always)
    private mutating func note(_ news: MarkTable.Mark, of id: PointIndex.ID) {
        guard let position = marks.position(of: id) else { return }
        let mark = marks[position]
        guard mark.contains(.chosen), !mark.isSuperset(of: news) else { return }
        marks[position] = mark.union(news).union(.listed)
        if !mark.contains(.listed) { list(id) }
    }

    private mutating func choose(_ id: PointIndex.ID) {
        chosen += 1
        guard let position = marks.position(of: id) else {
            marks.insert(id, [.chosen, .listed])
            return list(id)
        }
        // The item left and came back before this was sent. A viewer that has it may have old values, and is sent it as
        // changed; one that never got it is sent it as entered.
        marks[position].formUnion([.chosen, .changed])
    }

    private mutating func drop(_ id: PointIndex.ID) {
        guard let position = marks.position(of: id) else { return }
        chosen -= 1
        let wasListed = marks[position].contains(.listed)
        marks[position] = marks[position].intersection(.known).union(.listed)
        if !wasListed { list(id) }
    }

    private mutating func list(_ id: PointIndex.ID) {
        listed.append(id)
        // Any number over twice the limit, which `compact` may leave: more of them trade memory for fewer walks.
        if listed.count > 4 * limit + 64 { compact() }
    }

    /// Drops items that entered and left unsent.
    ///
    /// The chosen and the known items remain, at most twice the limit.
    private mutating func compact() {
        listed.removeAll { id in
            guard let position = marks.position(of: id) else { return true }
            guard marks[position].isDisjoint(with: [.known, .chosen]) else { return false }
            marks.remove(at: position)
            return true
        }
    }

    // MARK: The index

    private func count(in index: borrowing PointIndex) -> Int {
        guard let isVisible else { return index.total(in: region) }
        var count = 0
        index.visit(region) { if isVisible($0.id) { count += 1 } }
        return count
    }

    /// Visible items inside: the limit's number of them, or all if there are fewer, so enough to fill the
    /// free slots.
    private func candidates(in index: borrowing PointIndex) -> [PointIndex.ID] {
        guard let isVisible else { return index.region(region, limit: limit).ids }
        var ids: [PointIndex.ID] = []
        index.visit(region) { if ids.count < limit, isVisible($0.id) { ids.append($0.id) } }
        return ids
    }
}
