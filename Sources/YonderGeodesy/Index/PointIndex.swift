/// Points that move, found by region and by distance.
///
/// Regions are answered with the exact number of points inside, without visiting these: the tree knows how many
/// points each of its cells has. A point is named by a small integer of the caller's; the index keeps four bytes
/// for every number up to the greatest one used, so number points densely and use numbers again.
///
/// The index belongs to whoever holds it and has no lock: ``SharedPointIndex`` is for several tasks. It is a
/// quadtree over coordinates of 10⁻⁷ degrees whose leaves have up to 64 points; it splits and merges cells as points
/// come and go. Memory: some 24 bytes a point, and 64 KiB for an empty index.
public struct PointIndex: ~Copyable {
    /// A point's name: a small integer.
    public typealias ID = UInt32

    /// A point to put in.
    public struct Entry: Hashable, Sendable {
        /// The point's name.
        public var id: ID

        /// Where it is.
        public var coordinate: Coordinate.Rounded

        /// Its place in ``Order/rank``: the lowest comes first.
        public var rank: UInt32

        /// Creates a point to put in.
        public init(id: ID, coordinate: Coordinate.Rounded, rank: UInt32 = 0) {
            self.id = id
            self.coordinate = coordinate
            self.rank = rank
        }
    }

    /// How many points there are.
    public internal(set) var count = 0

    var nodes = Pages<Node.Record>()
    var groups = Pages<Group.Record>()
    var links = Pages<Link.Record>()
    var slots = Pages<UInt32>()

    // Numbers that are in use or free are below these; what is free hangs in a list that begins here, 0 ends it.
    var nodeNumbers: UInt32 = 0
    var groupNumbers: UInt32 = 1
    var freeNode: UInt32 = 0
    var freeGroup: UInt32 = 0

    /// Creates an empty index.
    public init() {
        _ = allocateNode(home: Home(node: 0, quadrant: 0, depth: 0))
        groups.reserve(1)
        links.reserve(1)
        slots.reserve(1)
    }

    /// The bytes of memory that the index keeps alive, those that it shares with snapshots included.
    public var byteCount: Int {
        nodes.byteCount + groups.byteCount + links.byteCount + slots.byteCount
    }

    /// Where a point is, or `nil` if there is none of that name.
    public func coordinate(of id: ID) -> Coordinate.Rounded? {
        let slot = slot(of: id)
        if slot.isNowhere { return nil }
        return tree.group(slot.group).coordinate(slot.lane)
    }

    /// A point's rank, or `nil` if there is none of that name.
    public func rank(of id: ID) -> UInt32? {
        let slot = slot(of: id)
        return slot.isNowhere ? nil : tree.group(slot.group).rank(slot.lane)
    }

    /// The tree, to read from until the next change.
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

// Safe because it can't be copied, so that whoever changes it is alone with it; what it shares with its snapshots,
// neither writes to.
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
