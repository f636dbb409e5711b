/// Moving points, found by region and by distance.
///
/// A region query returns the exact number of points inside without visiting them: each cell of the tree
/// stores its count. A point is identified by a small integer of the caller's. The index keeps four bytes for
/// every number up to the greatest one used, so assign numbers densely and reuse them.
///
/// The index has one owner and no lock: use ``SharedPointIndex`` from several tasks. It is a quadtree over
/// coordinates of 10⁻⁷ degrees whose leaves have up to 64 points; cells are split and merged as points come
/// and go. Memory: some 24 bytes a point, and 64 KiB for an empty index.
///
/// ```
///                  node 0: the whole world        a node stores, for each of its four quadrants,
///                 ┌────────┬────────┐             a child, its number of points, and the best rank
///                 │ node 7 │ leaf   │
///                 ├────────┼────────┤             insert: a full leaf (64) ──▶ a node with four leaves
///                 │ (none) │ leaf   │             remove: four leaves with 32 in all ──▶ one leaf
///                 └───┬────┴────┬───┘
///   node 7 ◀──────────┘         └─▶ group ─▶ group ─▶ … of 8 points each, all full but the first
///   slot of an id ───────────────────▶ (group, lane)
/// ```
///
/// Invariants between edits, which `check()` tests:
///
/// 1. A node's counts and best ranks are those of the points below it.
/// 2. A leaf has a chain of groups, all full but the first; an empty leaf has none.
/// 3. A leaf above the greatest depth has at most 64 points. A node has more than 32, unless it is the root or one of
///    its children is a node.
/// 4. The slot of a point's id is the point's position in the groups.
/// 5. A snapshot's pages are never written to: the first write to a shared page copies it.
///
/// `ObjectIndex` has one for each entity with a location, and `PeopleMap` one for the people on the map; a program of its own
/// may have others. No call fails: unknown ids return `nil` or `false`. Only more than 2²⁵ cells or 2²⁹ groups trap. Answers
/// must be those of looking at every point (`PointIndexTests`, `PointSnapshotTests`, `PlacesFixtureTests`); numbers of points
/// in a cell decide speed (decision 7).
public struct PointIndex: ~Copyable {
    /// A point's id: a small integer.
    public typealias ID = UInt32

    /// A point to insert.
    public struct Entry: Hashable, Sendable {
        /// The point's id.
        public var id: ID

        /// The point's position.
        public var coordinate: Coordinate.Rounded

        /// The point's rank in ``Order/rank``: the lowest comes first.
        public var rank: UInt32

        /// Creates a point to insert.
        public init(id: ID, coordinate: Coordinate.Rounded, rank: UInt32 = 0) {
            self.id = id
            self.coordinate = coordinate
            self.rank = rank
        }
    }

    /// The number of points.
    ///
    /// - Complexity: O(1).
    public internal(set) var count = 0

    var nodes = Pages<Node.Record>()
    var groups = Pages<Group.Record>()
    var links = Pages<Link.Record>()
    var slots = Pages<UInt32>()

    // All numbers in use or free are below these. The free ones form a list that begins here; 0 ends it.
    var nodeNumbers: UInt32 = 0
    var groupNumbers: UInt32 = 1
    var freeNode: UInt32 = 0
    var freeGroup: UInt32 = 0

    /// Creates an empty index.
    ///
    /// - Complexity: O(1).
    public init() {
        _ = allocateNode(home: Home(node: 0, quadrant: 0, depth: 0))
        groups.reserve(1)
        links.reserve(1)
        slots.reserve(1)
    }

    /// The bytes of memory that the index keeps allocated, those shared with snapshots included.
    ///
    /// - Complexity: O(1).
    public var byteCount: Int {
        nodes.byteCount + groups.byteCount + links.byteCount + slots.byteCount
    }

    /// The position of a point, or `nil` if there is no point with that id.
    ///
    /// - Complexity: O(1).
    public func coordinate(of id: ID) -> Coordinate.Rounded? {
        let slot = slot(of: id)
        if slot.isNowhere { return nil }
        return tree.group(slot.group).coordinate(slot.lane)
    }

    /// The rank of a point, or `nil` if there is no point with that id.
    ///
    /// - Complexity: O(1).
    public func rank(of id: ID) -> UInt32? {
        let slot = slot(of: id)
        return slot.isNowhere ? nil : tree.group(slot.group).rank(slot.lane)
    }

    /// The tree, for reading until the next change.
    var tree: PointTree {
        @inline(__always) get {
            PointTree(nodes: nodes.view, groups: groups.view, links: links.view)
        }
    }

    @inline(__always)
    func slot(of id: ID) -> Slot {
        guard Int(id) < slots.capacity else { return .nowhere }
        return Slot(raw: slots.address(of: id).load(as: UInt32.self))
    }
}

// Safe because it can't be copied, so that a change has exclusive access; memory shared with snapshots is
// never written to.
extension PointIndex: @unchecked Sendable {}

extension Group {
    @inline(__always)
    func coordinate(_ lane: Int) -> Coordinate.Rounded {
        Coordinate.Rounded(valid: latitude(lane), longitude(lane))
    }

    @inline(__always)
    func entry(_ lane: Int) -> PointIndex.Entry {
        PointIndex.Entry(id: id(lane), coordinate: coordinate(lane), rank: rank(lane))
    }
}
