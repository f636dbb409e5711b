// The invariants between edits are those of ``PointIndex``. An address that an edit keeps comes from
// `writable`: the page of such an address isn't moved.

// Changes of single points, and what splits and merges cells. The owner of an index calls them, as `ObjectIndex` and
// `PeopleMap` of the server do, under its own exclusive access. An unknown or a repeated id changes nothing and returns
// `false`. More than 2²⁵ nodes or 2²⁹ groups trap (`PointIndex+Allocation.swift`).
//
// ``mostPoints`` and ``fewPoints`` may change together, with the numbers in the documentation of ``PointIndex`` (decision 7);
// they decide speed alone, and no answer. `PointIndexTests` compares random edits with a plain list.
extension PointIndex {
    /// The most points of a leaf that can be split.
    static let mostPoints = 64

    /// The most points for which four leaves are merged into one: half of ``mostPoints``, so that one point
    /// that moves back and forth doesn't split and merge each time.
    static let fewPoints = 32

    /// Inserts a point.
    ///
    /// - Returns: `false` if there is a point with that id, which then stays unchanged.
    /// - Complexity: O(*d*), where *d* is the depth of the point's cell: some log₄(*n* / 64), and at most 26.
    @discardableResult
    public mutating func insert(_ id: ID, at coordinate: Coordinate.Rounded, rank: UInt32 = 0) -> Bool {
        slots.reserve(Int(id) + 1)
        guard slot(of: id).isNowhere else { return false }
        let point = Point(
            latitude: coordinate.latitude,
            longitude: coordinate.longitude,
            id: id,
            rank: rank
        )
        add(point, from: 0, depth: 0)
        count += 1
        return true
    }

    /// Moves a point.
    ///
    /// - Returns: `false` if there is no point with that id.
    /// - Complexity: O(1) within a cell; otherwise O(*d*), where *d* is the number of levels below the cell that
    ///   contains both positions, at most 26.
    @discardableResult
    public mutating func move(_ id: ID, to coordinate: Coordinate.Rounded) -> Bool {
        let slot = slot(of: id)
        if slot.isNowhere { return false }
        let group = Group(address: groups.writable(slot.group))
        let common = Cell.depthInCommon(
            (group.latitude(slot.lane), coordinate.latitude),
            (group.longitude(slot.lane), coordinate.longitude)
        )
        if common >= tree.link(slot.group).home.depth {
            group.setPosition(slot.lane, coordinate.latitude, coordinate.longitude)
        } else {
            cross(id, from: slot, rank: group.rank(slot.lane), to: coordinate, common: common)
        }
        return true
    }

    /// Removes a point.
    ///
    /// - Returns: `false` if there is no point with that id.
    /// - Complexity: O(*d*), where *d* is the depth of the point's cell, at most 26.
    @discardableResult
    public mutating func remove(_ id: ID) -> Bool {
        let slot = slot(of: id)
        if slot.isNowhere { return false }
        let node = tree.link(slot.group).home.node
        _ = detach(slot, below: 0)
        setSlot(of: id, .nowhere)
        mergeSparse(node)
        count -= 1
        return true
    }

    /// Removes all points.
    ///
    /// - Complexity: O(*p*), where *p* is the number of pages of 16 KiB that are freed.
    public mutating func removeAll() {
        self = PointIndex()
    }

    /// Moves a point from leaf to leaf: nothing changes above the cell that contains both positions.
    @inline(never)
    private mutating func cross(
        _ id: ID,
        from slot: Slot,
        rank: UInt32,
        to coordinate: Coordinate.Rounded,
        common: Int
    ) {
        let left = tree.link(slot.group).home.node
        let ancestor = detach(slot, below: common)
        let point = Point(
            latitude: coordinate.latitude,
            longitude: coordinate.longitude,
            id: id,
            rank: rank
        )
        add(point, from: ancestor, depth: common)
        mergeSparse(left)
    }

    // MARK: Inserting

    /// Inserts a point below a node of a given depth, whose cell contains the point.
    private mutating func add(_ point: Point, from start: UInt32, depth startDepth: Int) {
        var number = start
        var depth = startDepth
        while true {
            let node = writableNode(number)
            let quadrant = Cell.quadrant(point.latitude, point.longitude, depth: depth)
            let child = node.child(quadrant)
            guard child.isNode else {
                place(point, in: node, Home(node: number, quadrant: quadrant, depth: depth &+ 1))
                return splitFull(node, Home(node: number, quadrant: quadrant, depth: depth &+ 1))
            }
            node.setCount(quadrant, node.count(quadrant) &+ 1)
            if point.rank < node.best(quadrant) { node.setBest(quadrant, point.rank) }
            number = child.number
            depth &+= 1
        }
    }

    /// Adds a point to the leaf at a home, and increments the leaf's count.
    @inline(__always)
    mutating func place(_ point: Point, in node: Node, _ home: Home) {
        let quadrant = home.quadrant
        let count = node.count(quadrant)
        let lane = count & (Group.size &- 1)
        if lane == 0 {
            let group = allocateGroup(next: node.child(quadrant).number, home: home)
            node.setChild(quadrant, .leaf(group))
        }
        let group = node.child(quadrant).number
        Group(address: groups.writable(group)).setPoint(lane, point)
        setSlot(of: point.id, Slot(group: group, lane: lane))
        node.setCount(quadrant, count &+ 1)
        if point.rank < node.best(quadrant) { node.setBest(quadrant, point.rank) }
    }

    @inline(__always)
    private mutating func splitFull(_ parent: Node, _ home: Home) {
        if parent.count(home.quadrant) > Self.mostPoints, home.depth < Cell.mostDepth { split(parent, home) }
    }

    /// Replaces a leaf by a node with four leaves.
    @inline(never)
    private mutating func split(_ parent: Node, _ home: Home) {
        let chain = parent.child(home.quadrant).number
        let count = parent.count(home.quadrant)
        let number = allocateNode(home: home)
        let node = writableNode(number)
        parent.setChild(home.quadrant, .node(number))
        replant(chain: chain, count: count) { index, point in
            let quadrant = Cell.quadrant(point.latitude, point.longitude, depth: home.depth)
            index.place(point, in: node, Home(node: number, quadrant: quadrant, depth: home.depth &+ 1))
        }
        for quadrant in 0..<4 {
            splitFull(node, Home(node: number, quadrant: quadrant, depth: home.depth &+ 1))
        }
    }

    /// Calls a function with each point of a chain that no leaf refers to any more, and frees its groups.
    @inline(__always)
    private mutating func replant(
        chain: UInt32,
        count: Int,
        _ body: (inout PointIndex, Point) -> Void
    ) {
        var number = chain
        var fill = PointTree.fill(count)
        while number != 0 {
            let group = Group(address: groups.writable(number))
            for lane in 0..<fill { body(&self, group.point(lane)) }
            let next = tree.link(number).next
            free(group: number)
            number = next
            fill = Group.size
        }
    }

    // MARK: Removing

    /// Removes the point in a slot from its leaf, corrects the nodes up to the one at a given depth, and
    /// returns that node.
    @inline(__always)
    private mutating func detach(_ slot: Slot, below top: Int) -> UInt32 {
        let home = tree.link(slot.group).home
        var number = home.node
        var node = writableNode(number)
        var bestIsGone = detach(slot, from: node, quadrant: home.quadrant)
        for _ in stride(from: home.depth &- 1, to: top, by: -1) {
            let home = node.home
            let parent = writableNode(home.node)
            parent.setCount(home.quadrant, parent.count(home.quadrant) &- 1)
            if bestIsGone {
                let best = node.bestOfAll
                bestIsGone = parent.best(home.quadrant) != best
                parent.setBest(home.quadrant, best)
            }
            number = home.node
            node = parent
        }
        return number
    }

    /// Fills a slot with the last point of its leaf's first group; returns whether the leaf's best rank
    /// changed.
    @inline(__always)
    private mutating func detach(_ slot: Slot, from node: Node, quadrant: Int) -> Bool {
        let first = node.child(quadrant).number
        let count = node.count(quadrant) &- 1
        let lane = count & (Group.size &- 1)
        let last = Group(address: groups.writable(first)).point(lane)
        let hole = Group(address: groups.writable(slot.group))
        let rank = hole.rank(slot.lane)
        hole.setPoint(slot.lane, last)
        setSlot(of: last.id, slot)
        node.setCount(quadrant, count)
        if lane == 0 {
            node.setChild(quadrant, .leaf(tree.link(first).next))
            free(group: first)
        }
        guard rank == node.best(quadrant) else { return false }
        let best = bestRank(node, quadrant, atLeast: rank)
        node.setBest(quadrant, best)
        return best != rank
    }

    /// The best rank in a leaf, which is known to be no better than `limit`.
    private func bestRank(_ node: Node, _ quadrant: Int, atLeast limit: UInt32) -> UInt32 {
        var number = node.child(quadrant).number
        var fill = PointTree.fill(node.count(quadrant))
        var best = UInt32.max
        while number != 0, best > limit {
            let group = tree.group(number)
            for lane in 0..<fill { best = min(best, group.rank(lane)) }
            number = tree.link(number).next
            fill = Group.size
        }
        return best
    }

    /// Replaces a node with few points by a leaf, then its parent, and so on.
    private mutating func mergeSparse(_ start: UInt32) {
        var number = start
        while number != 0 {
            let node = tree.node(number)
            guard node.total <= Self.fewPoints, node.hasOnlyLeaves else { return }
            number = merge(number)
        }
    }

    @inline(never)
    private mutating func merge(_ number: UInt32) -> UInt32 {
        let node = writableNode(number)
        let home = node.home
        let parent = writableNode(home.node)
        parent.setChild(home.quadrant, .none)
        parent.setCount(home.quadrant, 0)
        parent.setBest(home.quadrant, .max)
        for quadrant in 0..<4 {
            replant(chain: node.child(quadrant).number, count: node.count(quadrant)) { index, point in
                index.place(point, in: parent, home)
            }
        }
        free(node: number)
        return home.node
    }
}
