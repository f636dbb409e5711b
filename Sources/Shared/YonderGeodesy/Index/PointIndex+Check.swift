// The test of the invariants that ``PointIndex`` numbers. `PointIndexTests` and `PointSnapshotTests` call it after random
// edits; no program does, as it takes time in proportion to the points. An empty list says that all hold; at most ten
// violations are described. A new invariant is one more `expect` here. The sentences are read by people alone.
extension PointIndex {
    /// Checks the invariants, and returns a description of each violation; empty if all hold.
    ///
    /// Visits every point: for tests.
    package func check() -> [String] {
        var check = InvariantCheck(tree: tree)
        let found = check.visit(tree.root, number: 0, .root)
        check.expect(found.count == count, "\(found.count) points in the tree, \(count) counted")
        for id in 0..<UInt32(slots.capacity) where !slot(of: id).isNowhere {
            let isThere = check.slots.removeValue(forKey: id) == slot(of: id).raw
            check.expect(isThere, "\(id) is not in its slot")
        }
        let lost = check.slots.count
        check.expect(lost == 0, "\(lost) points without a slot")
        let freeNodes = chain(from: freeNode) { tree.node($0).home.raw }
        let freeGroups = chain(from: freeGroup) { tree.link($0).next }
        let (nodes, groups) = (check.nodes + freeNodes, check.groups + freeGroups + 1)
        check.expect(nodes == Int(nodeNumbers), "a node is lost")
        check.expect(groups == Int(groupNumbers), "a group is lost")
        return check.complaints
    }

    private func chain(from first: UInt32, next: (UInt32) -> UInt32) -> Int {
        var (number, length) = (first, 0)
        while number != 0 {
            length += 1
            number = next(number)
        }
        return length
    }
}

private struct InvariantCheck {
    let tree: PointTree
    var complaints: [String] = []
    var slots: [UInt32: UInt32] = [:]
    var nodes = 0
    var groups = 0

    init(tree: PointTree) {
        self.tree = tree
    }

    mutating func expect(_ holds: Bool, _ complaint: @autoclosure () -> String) {
        if !holds, complaints.count < 10 { complaints.append(complaint()) }
    }

    mutating func visit(_ node: Node, number: UInt32, _ cell: Cell) -> (count: Int, best: UInt32) {
        nodes += 1
        var all = (count: 0, best: UInt32.max)
        for quadrant in 0..<4 {
            let child = node.child(quadrant)
            let home = Home(node: number, quadrant: quadrant, depth: cell.depth + 1)
            let below =
                child.isNode
                ? visitNode(child.number, home, cell.quadrant(quadrant))
                : visitLeaf(child.number, node.count(quadrant), home, cell.quadrant(quadrant))
            expect(below.count == node.count(quadrant), "count of quadrant \(quadrant) of node \(number)")
            expect(below.best == node.best(quadrant), "best rank of quadrant \(quadrant) of node \(number)")
            all = (all.count + below.count, min(all.best, below.best))
        }
        let isSparse = all.count <= PointIndex.fewPoints && node.hasOnlyLeaves
        expect(number == 0 || !isSparse, "node \(number) should be a leaf")
        return all
    }

    private mutating func visitNode(
        _ number: UInt32,
        _ home: Home,
        _ cell: Cell
    ) -> (count: Int, best: UInt32) {
        let node = tree.node(number)
        expect(node.home.raw == home.raw, "home of node \(number)")
        return visit(node, number: number, cell)
    }

    private mutating func visitLeaf(
        _ first: UInt32,
        _ count: Int,
        _ home: Home,
        _ cell: Cell
    ) -> (count: Int, best: UInt32) {
        let mayBeLarge = home.depth == Cell.mostDepth
        expect(count <= PointIndex.mostPoints || mayBeLarge, "a leaf of \(count) points")
        var found = (count: 0, best: UInt32.max)
        var (number, fill) = (first, PointTree.fill(count))
        while number != 0 {
            groups += 1
            expect(tree.link(number).home.raw == home.raw, "home of group \(number)")
            for lane in 0..<fill {
                found.count += 1
                found.best = min(found.best, visit(number, lane, cell))
            }
            number = tree.link(number).next
            fill = Group.size
        }
        return found
    }

    private mutating func visit(_ group: UInt32, _ lane: Int, _ cell: Cell) -> UInt32 {
        let point = tree.group(group).point(lane)
        let side = UInt32(1) << (32 - UInt32(cell.depth))
        let isInside =
            UInt32(bitPattern: point.longitude &- cell.west) < side
            && UInt32(bitPattern: point.latitude &- cell.south) < side
        expect(isInside, "\(point.id) is in a wrong cell")
        expect(slots[point.id] == nil, "\(point.id) is there twice")
        slots[point.id] = Slot(group: group, lane: lane).raw
        return point.rank
    }
}
