/// The tree of a ``PointIndex``, for reading while the index isn't changed.
///
/// A node's cell is a square of 2ⁿ × 2ⁿ coordinates, the root's all 2³² × 2³² of them; four quadrants halve
/// it in both directions. Quadrant 0 is in the southwest, 1 in the southeast, 2 in the northwest, 3 in the
/// northeast.
///
/// Every search of `PointIndex` begins with one, and must not keep it over a change: addresses aren't checked
/// (`PointIndexTests`, the address sanitizer).
struct PointTree {
    let nodes: PageTable<Node.Record>
    let groups: PageTable<Group.Record>
    let links: PageTable<Link.Record>

    var root: Node { node(0) }

    @inline(__always)
    func node(_ number: UInt32) -> Node { Node(address: nodes.address(of: number)) }

    @inline(__always)
    func group(_ number: UInt32) -> Group { Group(address: groups.address(of: number)) }

    @inline(__always)
    func link(_ group: UInt32) -> Link { Link(address: links.address(of: group)) }

    /// How many of a leaf's `count` points are in its first group; its other groups are full.
    @inline(__always)
    static func fill(_ count: Int) -> Int {
        (count &- 1) & (Group.size &- 1) &+ 1
    }
}
