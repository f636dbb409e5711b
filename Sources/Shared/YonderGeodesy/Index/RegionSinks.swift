// Memory is accessed by address here: `RegionCollector` writes past the end of its list by less than a group,
// for which its buffer has room.

/// Counts the points.
///
/// The three sinks that `PointTree.forWindows` fills for `PointIndex+Region.swift`: one counts, one also lists, one visits.
/// They can't fail. A total counts every point once, also for a region of two parts; the collector writes at most a group
/// past its limit, for which `PointIndex+Region.swift` leaves room (`PointIndexTests`, the address sanitizer). How lanes are
/// written decides speed alone.
struct RegionCounter: RegionSink {
    private var whole = 0
    private var single = SIMD8<Int32>.zero

    var total: Int { whole &- Int(single.wrappedSum()) }

    @inline(__always)
    mutating func take(_ child: Child, count: Int, of tree: PointTree) {
        whole &+= count
    }

    @inline(__always)
    mutating func take(_ group: Group, _ inside: SIMD8<Int32>) {
        single &+= inside
    }
}

/// Counts all points and lists the first ones, up to a limit.
struct RegionCollector: RegionSink {
    private(set) var listed = 0
    private var counter = RegionCounter()
    private let limit: Int
    private let output: UnsafeMutableRawPointer

    /// The output must have room for `limit` ids and a group.
    init(output: UnsafeMutableRawPointer, limit: Int) {
        self.output = output
        self.limit = limit
    }

    var total: Int { counter.total }

    @inline(__always)
    mutating func take(_ child: Child, count: Int, of tree: PointTree) {
        counter.take(child, count: count, of: tree)
        if listed < limit { list(child, count: count, of: tree) }
    }

    /// Writes every lane's id, and advances only if the lane is inside, without a branch to mispredict.
    @inline(__always)
    mutating func take(_ group: Group, _ inside: SIMD8<Int32>) {
        counter.take(group, inside)
        if listed == limit { return }
        var place = listed
        for lane in 0..<Group.size {
            output.storeBytes(of: group.id(lane), toByteOffset: place &* 4, as: UInt32.self)
            place &-= Int(inside[lane])
        }
        listed = min(limit, place)
    }

    private mutating func list(_ child: Child, count: Int, of tree: PointTree) {
        guard child.isNode else { return list(leaf: child.number, count: count, of: tree) }
        let node = tree.node(child.number)
        for quadrant in 0..<4 where node.count(quadrant) > 0 && listed < limit {
            list(node.child(quadrant), count: node.count(quadrant), of: tree)
        }
    }

    @inline(__always)
    private mutating func list(leaf first: UInt32, count: Int, of tree: PointTree) {
        var number = first
        var fill = PointTree.fill(count)
        while number != 0, listed < limit {
            output.storeBytes(of: tree.group(number).ids, toByteOffset: listed &* 4, as: SIMD8<UInt32>.self)
            listed = min(limit, listed &+ fill)
            number = tree.link(number).next
            fill = Group.size
        }
    }
}

/// Calls a function with each point.
struct RegionVisitor: RegionSink {
    let body: (PointIndex.Entry) -> Void

    mutating func take(_ child: Child, count: Int, of tree: PointTree) {
        if child.isNode {
            let node = tree.node(child.number)
            for quadrant in 0..<4 where node.count(quadrant) > 0 {
                take(node.child(quadrant), count: node.count(quadrant), of: tree)
            }
        } else {
            var number = child.number
            var fill = PointTree.fill(count)
            while number != 0 {
                let group = tree.group(number)
                for lane in 0..<fill { body(group.entry(lane)) }
                number = tree.link(number).next
                fill = Group.size
            }
        }
    }

    mutating func take(_ group: Group, _ inside: SIMD8<Int32>) {
        for lane in 0..<Group.size where inside[lane] != 0 { body(group.entry(lane)) }
    }
}
