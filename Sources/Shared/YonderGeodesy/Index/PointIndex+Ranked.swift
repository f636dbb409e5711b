// The points of the lowest ranks in a region: `region(_:limit:order:)` calls ``best(_:in:)`` for the order `rank`, for which
// lists of objects in a region are asked. It can't fail. The total must be exact, and the ids in the order of rank and id;
// which of equal ranks are listed at the limit may change. The capacities decide speed alone (`PointIndexTests`).
extension PointIndex {
    /// Returns the points of the lowest ranks in a region.
    ///
    /// Opens the node or leaf with the best rank first, until that rank is no better than the worst point
    /// found.
    func best(_ limit: Int, in region: Region) -> Selection {
        let total = total(in: region)
        let wanted = min(max(0, limit), total)
        guard wanted > 0 else { return Selection(ids: [], total: total) }
        var search = RankSearch(tree: tree, windows: region.parts.map(Window.init), wanted: wanted)
        search.run()
        return Selection(ids: search.ids, total: total)
    }
}

/// The nodes and leaves still to open, and the best points found so far.
private struct RankSearch {
    private let tree: PointTree
    private let windows: [Window]
    private let wanted: Int
    private var open = Heap<Branch>()
    private var found = Heap<Ranked>()

    init(tree: PointTree, windows: [Window], wanted: Int) {
        self.tree = tree
        self.windows = windows
        self.wanted = wanted
        open.reserveCapacity(256)
        found.reserveCapacity(min(wanted, 1024))
    }

    /// The ids found, by rank and id.
    var ids: [PointIndex.ID] {
        found.elements.map(\.order).sorted().map { UInt32(truncatingIfNeeded: $0) }
    }

    mutating func run() {
        for number in windows.indices { enter(tree.root, .root, window: number, isInside: false) }
        while let branch = open.popFirst(), isOfUse(branch.best) {
            if branch.child.isNode {
                enter(
                    tree.node(branch.child.number),
                    branch.cell,
                    window: branch.window,
                    isInside: branch.isInside
                )
            } else {
                search(branch)
            }
        }
    }

    /// Whether a point of that rank would be better than the worst of the points wanted.
    @inline(__always)
    private func isOfUse(_ rank: UInt32) -> Bool {
        guard found.elements.count == wanted, let worst = found.first else { return true }
        return rank < worst.rank
    }

    private mutating func enter(_ node: Node, _ cell: Cell, window number: Int, isInside: Bool) {
        for quadrant in 0..<4 where node.count(quadrant) > 0 && isOfUse(node.best(quadrant)) {
            let cell = cell.quadrant(quadrant)
            guard isInside || windows[number].intersects(cell) else { continue }
            let branch = Branch(
                best: node.best(quadrant),
                count: UInt32(truncatingIfNeeded: node.count(quadrant)),
                child: node.child(quadrant),
                cell: cell,
                window: number,
                isInside: isInside || windows[number].contains(cell)
            )
            open.insert(branch)
        }
    }

    private mutating func search(_ leaf: Branch) {
        let window = windows[leaf.window]
        var number = leaf.child.number
        var fill = PointTree.fill(Int(leaf.count))
        while number != 0 {
            let group = tree.group(number)
            let inside = leaf.isInside ? SIMD8(repeating: -1) : window.contains(group)
            for lane in 0..<fill where isOfUse(group.rank(lane)) && inside[lane] != 0 {
                consider(Ranked(rank: group.rank(lane), id: group.id(lane)))
            }
            number = tree.link(number).next
            fill = Group.size
        }
    }

    @inline(__always)
    private mutating func consider(_ point: Ranked) {
        if found.elements.count < wanted {
            found.insert(point)
        } else {
            found.replaceFirst(point)
        }
    }
}

/// A node or leaf that hasn't been opened.
private struct Branch: HeapElement {
    let best: UInt32
    let count: UInt32
    let child: Child
    private let west: Int32
    private let south: Int32
    private let depth: UInt8
    private let windowNumber: UInt8
    let isInside: Bool

    @inline(__always)
    init(best: UInt32, count: UInt32, child: Child, cell: Cell, window: Int, isInside: Bool) {
        self.best = best
        self.count = count
        self.child = child
        (west, south, depth) = (cell.west, cell.south, UInt8(truncatingIfNeeded: cell.depth))
        windowNumber = UInt8(truncatingIfNeeded: window)
        self.isInside = isInside
    }

    var cell: Cell { Cell(west: west, south: south, depth: Int(depth)) }
    var window: Int { Int(windowNumber) }

    @inline(__always)
    func isBefore(_ other: Branch) -> Bool { best < other.best }
}

/// A point found, with rank and id in one number; the worst one is first in its heap.
private struct Ranked: HeapElement {
    let order: UInt64

    @inline(__always)
    init(rank: UInt32, id: UInt32) {
        order = UInt64(rank) << 32 | UInt64(id)
    }

    var rank: UInt32 {
        @inline(__always) get { UInt32(truncatingIfNeeded: order >> 32) }
    }

    @inline(__always)
    func isBefore(_ other: Ranked) -> Bool { order > other.order }
}
