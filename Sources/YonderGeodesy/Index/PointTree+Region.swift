// Memory is touched by address here: a list of leaves on the stack, whose length is below its capacity whenever one is
// added.

/// What is done with the points of a region: with all those below a child that is inside, or with those of a group that
/// are.
protocol RegionSink {
    mutating func take(_ child: Child, count: Int, of tree: PointTree)

    /// A lane is −1 where there is a point inside, else 0.
    mutating func take(_ group: Group, _ inside: SIMD8<Int32>)
}

extension PointTree {
    /// Gives a sink all that is in a region, and returns it.
    @inline(__always)
    func forWindows<Sink: RegionSink>(of region: Region, _ sink: Sink) -> Sink {
        withUnsafeTemporaryAllocation(of: EdgeLeaf.self, capacity: EdgeLeaf.most) { leaves in
            guard let leaves = leaves.baseAddress else { return sink }
            var walk = RegionWalk(tree: self, window: Window(region), sink: sink, leaves: leaves)
            if !region.crossesAntimeridian, region.eastEdge < Region.antimeridian {
                walk.run()
            } else {
                for part in region.parts {
                    walk.window = Window(part)
                    walk.run()
                }
            }
            return walk.sink
        }
    }
}

/// A leaf that the region's edge passes through: where its chain goes on, and how many points are in that group.
private struct EdgeLeaf: BitwiseCopyable {
    static let most = 16

    var group: UInt32
    var fill: UInt32
}

/// Goes down from the root to where the region's edge is.
///
/// The leaves there are looked through several at a time, a group of each in turn: so the processor fetches the groups of all of
/// them at once, where it would wait for the groups of one leaf after another.
private struct RegionWalk<Sink: RegionSink> {
    let tree: PointTree
    var window: Window
    var sink: Sink
    let leaves: UnsafeMutablePointer<EdgeLeaf>
    var leafCount = 0

    mutating func run() {
        descend(tree.root, .root)
        searchLeaves()
    }

    private mutating func descend(_ node: Node, _ cell: Cell) {
        for quadrant in 0..<4 {
            let count = node.count(quadrant)
            if count == 0 { continue }
            let (west, east) = Cell.half(cell.west, depth: cell.depth, upper: quadrant & 1 != 0)
            let (south, north) = Cell.half(cell.south, depth: cell.depth, upper: quadrant & 2 != 0)
            if west > window.east || east < window.west || south > window.north || north < window.south {
                continue
            }
            let child = node.child(quadrant)
            if west >= window.west, east <= window.east, south >= window.south, north <= window.north {
                sink.take(child, count: count, of: tree)
            } else if child.isNode {
                descend(tree.node(child.number), Cell(west: west, south: south, depth: cell.depth &+ 1))
            } else {
                if leafCount == EdgeLeaf.most { searchLeaves() }
                let fill = UInt32(truncatingIfNeeded: PointTree.fill(count))
                leaves[leafCount] = EdgeLeaf(group: child.number, fill: fill)
                leafCount &+= 1
            }
        }
    }

    private mutating func searchLeaves() {
        var count = leafCount
        while count > 0 {
            var left = 0
            for index in 0..<count {
                let leaf = leaves[index]
                let group = tree.group(leaf.group)
                sink.take(group, window.contains(group, fill: Int(leaf.fill)))
                let next = tree.link(leaf.group).next
                leaves[left] = EdgeLeaf(group: next, fill: UInt32(Group.size))
                left &+= next == 0 ? 0 : 1
            }
            count = left
        }
        leafCount = 0
    }
}
