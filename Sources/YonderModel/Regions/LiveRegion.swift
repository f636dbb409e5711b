package import YonderGeodesy

/// One client's live region: what it has been told of, what it is to be told next, and the exact total.
///
/// It takes what happens, and gathers. ``settle(in:)`` and ``drain(while:_:)`` say at the round's end, or whenever the client
/// can take more, what to tell: each thing once, however often it moved; nothing of what came and went in between. So
/// what waits for a slow reader never exceeds a few times the limit.
///
/// With more inside than the limit, the list is a part of them by this rule: *what is on the list stays until it leaves
/// the region. A place on it that is free goes to the next that enters, and those still free at the round's end to
/// others inside, in the index's own order.* The total always counts all that are inside and visible.
package struct LiveRegion {
    /// Says whether the client may see a thing.
    package typealias Visibility = (PointIndex.ID) -> Bool

    /// What is watched.
    package private(set) var region: Region

    /// How many things the client is told of at most.
    package let limit: Int

    /// How many visible things are inside.
    package private(set) var total = 0

    private let isVisible: Visibility?
    private var marks = MarkTable()
    private var chosen = 0

    // What may have to be told, each at most once. Bounded by `compact()`.
    private var listed: [PointIndex.ID] = []
    private var toldTotal: Int?

    /// Creates the state of a client that was told of nothing yet; ``settle(in:)`` finds what is inside.
    ///
    /// - Parameters:
    ///   - region: What is watched.
    ///   - limit: How many things the client is told of at most; below zero counts as zero.
    ///   - index: Where everything is.
    ///   - isVisible: Whether the client may see a thing, or `nil` if it may see them all. When its answer for a thing
    ///     changes, say so by ``appeared(_:at:)`` or ``disappeared(_:at:)``. Where there is one, whatever asks the index
    ///     visits all that are inside.
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

    /// Whether there is something to tell, or a free place on the list that something inside can take.
    package var isDirty: Bool { !listed.isEmpty || total != toldTotal || isShort }

    /// How many things the client has been told of, and not told that they left.
    package var known: [PointIndex.ID] { marks.all.filter { $0.mark.contains(.known) }.map(\.id) }

    /// How many things wait to be told of, or were about to: a few times the limit at most.
    var waiting: Int { listed.count }

    private var isShort: Bool { chosen < min(limit, total) }

    // MARK: What happens

    /// Takes in what happened to a thing that is or was inside.
    @inline(__always)
    package mutating func receive(_ passage: Passage, of id: PointIndex.ID) {
        switch passage {
        case .moved: note(.moved, of: id)
        case .changed: note(.changed, of: id)
        case .entered: if isVisible?(id) ?? true { add(id) }
        case .left: if isVisible?(id) ?? true { subtract(id) }
        }
    }

    /// Takes in that the client may see a thing that it couldn't.
    package mutating func appeared(_ id: PointIndex.ID, at place: Coordinate.Rounded) {
        if region.contains(place) { add(id) }
    }

    /// Takes in that the client may no longer see a thing.
    package mutating func disappeared(_ id: PointIndex.ID, at place: Coordinate.Rounded) {
        if region.contains(place) { subtract(id) }
    }

    /// Moves the region: what is on the list and inside stays there.
    ///
    /// Costs the things on the list, and the index's answer.
    ///
    /// - Parameters:
    ///   - region: What is watched from now on.
    ///   - index: Where everything is, after all that was received.
    package mutating func move(to region: Region, in index: borrowing PointIndex) {
        self.region = region
        for (id, mark) in marks.all where mark.contains(.chosen) {
            if let place = index.coordinate(of: id), region.contains(place) { continue }
            drop(id)
        }
        total = count(in: index)
        settle(in: index)
    }

    /// Gives the free places on the list to what is inside; call it before ``drain(while:_:)``.
    ///
    /// - Parameter index: Where everything is, after all that was received.
    package mutating func settle(in index: borrowing PointIndex) {
        guard isShort else { return }
        for id in candidates(in: index) where isShort {
            if !isChosen(id) { choose(id) }
        }
    }

    // MARK: What to tell

    /// Says what the client is to be told, and takes it as told.
    ///
    /// What left comes first, so that a client never has more than the limit. Who enters and who changes is to be told
    /// whole, who moved by its place alone.
    ///
    /// - Parameters:
    ///   - hasRoom: Whether the client takes another thing that isn't gone. Once it doesn't, the rest waits for the next
    ///     call, and the region stays dirty.
    ///   - tell: Tells it.
    /// - Returns: The total, if it isn't the one told last.
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

    /// Takes what was told off the list of what is to be told.
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
        // It left and came back before that was told: the client has it, and what happened meanwhile isn't known.
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
        if listed.count > 4 * limit + 64 { compact() }
    }

    /// Forgets what came and went without being told: at most the chosen and the known remain, twice the limit.
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

    /// Visible things inside, as many as the list has places or more: enough of them aren't on it.
    private func candidates(in index: borrowing PointIndex) -> [PointIndex.ID] {
        guard let isVisible else { return index.region(region, limit: limit).ids }
        var ids: [PointIndex.ID] = []
        index.visit(region) { if ids.count < limit, isVisible($0.id) { ids.append($0.id) } }
        return ids
    }
}
