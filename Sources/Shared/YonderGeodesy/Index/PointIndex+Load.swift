// Memory is accessed by address here: two buffers, each with room for all the points to load, and ranges
// within them.

// `ObjectIndex` loads an entity's objects with it when the server starts. An id that is used twice is skipped, and the number
// says so. The result must be that of inserting one by one, but for the order within leaves (`PointIndexTests`); the way of
// sorting may change.
extension PointIndex {
    /// Inserts many points.
    ///
    /// Into an empty index they are inserted sorted by cell, several times as fast as one by one, which
    /// temporarily needs twice 16 bytes a point; into any other index, one by one.
    ///
    /// - Returns: The number of points inserted; a point whose id is already used, also by an earlier entry,
    ///   is skipped.
    /// - Complexity: O(*n d*), where *d* is the depth of the cells: some log₄(*n* / 64), and at most 26.
    @discardableResult
    public mutating func load(_ entries: [Entry]) -> Int {
        guard count == 0, entries.count > Self.mostPoints else { return insertEach(entries) }
        let source = UnsafeMutableBufferPointer<Point>.allocate(capacity: entries.count)
        let target = UnsafeMutableBufferPointer<Point>.allocate(capacity: entries.count)
        defer {
            source.deallocate()
            target.deallocate()
        }
        count = gather(entries, into: source)
        distribute(source, target, 0..<count, into: 0, depth: 0)
        return count
    }

    private mutating func insertEach(_ entries: [Entry]) -> Int {
        let before = count
        for entry in entries { insert(entry.id, at: entry.coordinate, rank: entry.rank) }
        return count - before
    }

    /// Copies the points with new ids, and marks their slots as used; the final slots follow later.
    private mutating func gather(
        _ entries: [Entry],
        into points: UnsafeMutableBufferPointer<Point>
    ) -> Int {
        let taken = Slot(group: 0, lane: 1)
        var gathered = 0
        for entry in entries {
            if Int(entry.id) >= slots.capacity { slots.reserve(Int(entry.id) + 1) }
            guard slot(of: entry.id).isNowhere else { continue }
            setSlot(of: entry.id, taken)
            points[gathered] = Point(
                latitude: entry.coordinate.latitude,
                longitude: entry.coordinate.longitude,
                id: entry.id,
                rank: entry.rank
            )
            gathered += 1
        }
        return gathered
    }

    /// Builds the subtree of an empty node from a range of `source`; `target` is scratch memory.
    private mutating func distribute(
        _ source: UnsafeMutableBufferPointer<Point>,
        _ target: UnsafeMutableBufferPointer<Point>,
        _ range: Range<Int>,
        into number: UInt32,
        depth: Int
    ) {
        let ends = Self.partition(source, target, range, depth: depth)
        var start = range.lowerBound
        for quadrant in 0..<4 {
            let part = start..<ends[quadrant]
            start = part.upperBound
            let home = Home(node: number, quadrant: quadrant, depth: depth + 1)
            if part.count <= Self.mostPoints || home.depth == Cell.mostDepth {
                plant(target, part, home)
            } else {
                let child = allocateNode(home: home)
                distribute(target, source, part, into: child, depth: depth + 1)
                let below = writableNode(child)
                let node = writableNode(number)
                node.setChild(quadrant, .node(child))
                node.setCount(quadrant, part.count)
                node.setBest(quadrant, below.bestOfAll)
            }
        }
    }

    private mutating func plant(
        _ points: UnsafeMutableBufferPointer<Point>,
        _ range: Range<Int>,
        _ home: Home
    ) {
        let node = writableNode(home.node)
        for index in range { place(points[index], in: node, home) }
    }

    /// Copies a range sorted by quadrant, and returns the end of each quadrant's points.
    private static func partition(
        _ source: UnsafeMutableBufferPointer<Point>,
        _ target: UnsafeMutableBufferPointer<Point>,
        _ range: Range<Int>,
        depth: Int
    ) -> SIMD4<Int> {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 4) { next in
            next.initialize(repeating: 0)
            for index in range {
                let point = source[index]
                next[Cell.quadrant(point.latitude, point.longitude, depth: depth)] &+= 1
            }
            var start = range.lowerBound
            for quadrant in 0..<4 {
                let count = next[quadrant]
                next[quadrant] = start
                start += count
            }
            for index in range {
                let point = source[index]
                let quadrant = Cell.quadrant(point.latitude, point.longitude, depth: depth)
                target[next[quadrant]] = point
                next[quadrant] &+= 1
            }
            return SIMD4(next[0], next[1], next[2], next[3])
        }
    }
}
