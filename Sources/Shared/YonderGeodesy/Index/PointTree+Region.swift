// Memory is accessed by address here: a list of leaves on the stack, whose length is below its capacity
// whenever one is added.

/// Receives the points of a region: a child that lies inside as a whole, or a group with a mask of the points
/// inside.
protocol RegionSink {
    mutating func take(_ child: Child, count: Int, of tree: PointTree)

    /// A lane of `inside` is −1 if it holds a point inside, else 0.
    mutating func take(_ group: Group, _ inside: SIMD8<Int32>)
}

// `PointIndex+Region.swift` calls it for each query of a region, with one of the sinks of `RegionSinks.swift`. It can't fail.
// Each point inside is passed once, also if the region has two parts. How many leaves are scanned together
// (``EdgeLeaf/most``) decides speed alone; the list's length must stay below it (`PointIndexTests`, the address sanitizer).
extension PointTree {
    /// Passes all points in a region to a sink, and returns the sink.
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

/// A leaf on the region's edge: the next group of its chain, and the number of points in that group.
private struct EdgeLeaf: BitwiseCopyable {
    static let most = 16

    var group: UInt32
    var fill: UInt32
}

/// Descends from the root to the region's edge.
///
/// Several leaves on the edge are scanned together, a group of each in turn, so that the processor fetches
/// their memory in parallel instead of waiting for one leaf after another.
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
