import RealModule

// The nearest points to a coordinate. `ObjectCatalog` calls ``nearest(_:to:within:)`` for the queries *near* of REST and of
// the older places API, on a snapshot. It can't fail: without points within reach the list is empty.
//
// Distances must equal those of ``Coordinate/distance(to:)``, and equally near points come by id, so that an answer has one
// order (`NamedPlacesTests`, `PlacesFixtureTests`). The bounds that exclude cells are in `NearestGeometry`; the slack, the
// order of opening and the limit of the insertion sort decide speed alone.
// Nothing else in this file is seen from outside, and may change.
extension PointIndex {
    /// A point and its distance.
    public struct Neighbor: Hashable, Sendable {
        /// The point's id.
        public let id: ID

        /// The great-circle distance to the point: equal to ``Coordinate/distance(to:)``, but with a smaller
        /// rounding error.
        public let distance: Distance
    }

    /// Returns the points nearest to a coordinate, nearest first, equally near ones by id.
    ///
    /// - Parameters:
    ///   - limit: The most points to return; a negative limit counts as zero.
    ///   - center: The coordinate from which distances are measured.
    ///   - reach: The greatest distance, or `nil` for any distance.
    /// - Returns: The points within reach, up to `limit`, with their distances.
    /// - Complexity: O(*d* + *k* log *k*) for *k* results, where *d* is the depth of the cells around `center`, at most
    ///   26; O(*n*) at worst, if as many points are equally far.
    public func nearest(_ limit: Int, to center: Coordinate, within reach: Distance? = nil) -> [Neighbor] {
        let wanted = min(max(0, limit), count)
        guard wanted > 0, reach.map({ $0 >= .zero }) ?? true else { return [] }
        var search = NearestSearch(tree: tree, center: center, wanted: wanted, reach: reach)
        search.run()
        return search.neighbors(within: reach)
    }
}

/// Searches the leaf that contains the center, then around it, while a point nearer than those found is
/// possible.
///
/// All comparisons are of haversines, hav x = sin²(x/2), which grow with the distance: hav d = hav Δφ + cos
/// φ₁ cos φ₂ hav Δλ.
private struct NearestSearch {
    private let tree: PointTree
    private let center: Center
    private let wanted: Int
    private var found = Heap<Candidate>()

    /// The greatest useful haversine: that of the reach, or of the worst point found once there are as many
    /// as wanted.
    private var bound: Double

    /// A window that contains all points up to the bound, or up to an earlier, larger bound.
    private var window: Window
    private var windowBound: Double

    init(tree: PointTree, center: Coordinate, wanted: Int, reach: Distance?) {
        self.tree = tree
        self.center = Center(center)
        self.wanted = wanted
        let arc = min(.pi, (reach ?? Coordinate.earthRadius * .pi) / Coordinate.earthRadius)
        let sine = Double.sin(arc / 2)
        bound = arc >= 3 ? 1 : sine * sine * Self.slack
        windowBound = bound
        window = self.center.window(of: bound)
        found.reserveCapacity(min(wanted, 1024))
    }

    /// A generous bound for the rounding error of a haversine.
    private static let slack = 1 + 1e-9

    mutating func run() {
        _ = approach(tree.root, .root)
    }

    /// The points found, nearest first.
    func neighbors(within reach: Distance?) -> [PointIndex.Neighbor] {
        var neighbors: [PointIndex.Neighbor] = []
        neighbors.reserveCapacity(found.elements.count)
        for candidate in found.elements {
            let distance = Coordinate.distance(haversine: candidate.haversine)
            if let reach, distance > reach { continue }
            neighbors.append(PointIndex.Neighbor(id: candidate.id, distance: distance))
        }
        if neighbors.count > 32 {
            neighbors.sort { $0.isBefore($1) }
        } else {
            neighbors.sortByInsertion()
        }
        return neighbors
    }

    // MARK: Cells

    /// Searches the quadrant that contains the center and then, unless that quadrant includes everything near
    /// enough, the others.
    ///
    /// Returns whether nothing outside the cell need be searched.
    private mutating func approach(_ node: Node, _ cell: Cell) -> Bool {
        let quadrant = Cell.quadrant(center.place.latitude, center.place.longitude, depth: cell.depth)
        let child = node.child(quadrant)
        let inner = cell.quadrant(quadrant)
        if child.isNode {
            if approach(tree.node(child.number), inner) { return true }
        } else if !child.isNone {
            let column = Stretch(column: cell, upper: quadrant & 1 != 0)
            let row = Stretch(row: cell, upper: quadrant & 2 != 0)
            search(child.number, node.count(quadrant), column, row)
        }
        if bound < windowBound { narrowWindow() }
        if window.isInside(inner) { return true }
        enter(node, cell, except: quadrant)
        return false
    }

    /// Searches a node's quadrants, nearest first.
    private mutating func enter(_ node: Node, _ cell: Cell, except searched: Int = 4) {
        let columns = (Stretch(column: cell, upper: false), Stretch(column: cell, upper: true))
        let rows = (Stretch(row: cell, upper: false), Stretch(row: cell, upper: true))
        let across = (center.columnBound(columns.0), center.columnBound(columns.1))
        let along = (center.rowBound(rows.0), center.rowBound(rows.1))
        var ways = (
            Way(node, 0, along.0.least + along.0.weight * across.0),
            Way(node, 1, along.0.least + along.0.weight * across.1),
            Way(node, 2, along.1.least + along.1.weight * across.0),
            Way(node, 3, along.1.least + along.1.weight * across.1)
        )
        Way.sort(&ways)
        for way in [ways.0, ways.1, ways.2, ways.3] {
            if way.least > bound { return }
            let quadrant = way.quadrant
            if quadrant == searched { continue }
            let child = node.child(quadrant)
            if child.isNode {
                enter(tree.node(child.number), cell.quadrant(quadrant))
            } else {
                let column = quadrant & 1 == 0 ? columns.0 : columns.1
                let row = quadrant & 2 == 0 ? rows.0 : rows.1
                search(child.number, node.count(quadrant), column, row)
            }
        }
    }

    // MARK: Points

    private mutating func search(_ leaf: UInt32, _ count: Int, _ column: Stretch, _ row: Stretch) {
        let longitude = center.unfolded(toward: column)
        let extent = max(row.extent(center.latitude), column.extent(longitude)) * Center.radian
        var number = leaf
        var fill = PointTree.fill(count)
        while number != 0 {
            let group = tree.group(number)
            if extent < 0.1 {
                search(group, fill, longitude) { $0.nearHaversine($1, $2) }
            } else if extent < 1 {
                search(group, fill, longitude) { $0.middleHaversine($1, $2) }
            } else {
                search(group, fill, longitude) { $0.haversine($1, $2) }
            }
            number = tree.link(number).next
            fill = Group.size
        }
    }

    /// Compares the coordinates of eight points first, which excludes most points once there is a bound.
    @inline(__always)
    private mutating func search(
        _ group: Group,
        _ fill: Int,
        _ longitude: Double,
        _ haversine: (Center, _ north: Double, _ east: Double) -> Double
    ) {
        if bound < windowBound * 0.9 { narrowWindow() }
        let isFolded = longitude != center.longitude
        let inside = isFolded ? SIMD8(repeating: -1) : window.contains(group)
        for lane in 0..<fill where inside[lane] != 0 {
            let north = Double(group.latitude(lane)) - center.latitude
            let east = Double(group.longitude(lane)) - longitude
            consider(group, lane, haversine(center, north, east))
        }
    }

    @inline(__always)
    private mutating func consider(_ group: Group, _ lane: Int, _ haversine: Double) {
        if haversine > bound { return }
        let candidate = Candidate(haversine: haversine, id: group.id(lane))
        if found.elements.count < wanted {
            found.insert(candidate)
            if found.elements.count < wanted { return }
        } else if let worst = found.first, !worst.isBefore(candidate) {
            return
        } else {
            found.replaceFirst(candidate)
        }
        if let worst = found.first { bound = min(bound, worst.haversine * Self.slack) }
    }

    @inline(__always)
    private mutating func narrowWindow() {
        windowBound = bound
        window = center.window(of: bound)
    }
}

/// A quadrant with a lower bound of its points' haversines, in one number for comparisons.
///
/// The bits of a positive number sort as the number does, and its two lowest bits, which hold the quadrant,
/// are negligible.
private struct Way {
    private var bits: UInt64

    @inline(__always)
    init(_ node: Node, _ quadrant: Int, _ least: Double) {
        let order = node.count(quadrant) == 0 ? Double.infinity : least
        bits = order.bitPattern & ~3 | UInt64(truncatingIfNeeded: quadrant)
    }

    var least: Double { @inline(__always) get { Double(bitPattern: bits & ~3) } }
    var quadrant: Int { @inline(__always) get { Int(bits & 3) } }

    @inline(__always)
    static func sort(_ ways: inout (Way, Way, Way, Way)) {
        sort(&ways.0, &ways.1)
        sort(&ways.2, &ways.3)
        sort(&ways.0, &ways.2)
        sort(&ways.1, &ways.3)
        sort(&ways.1, &ways.2)
    }

    @inline(__always)
    private static func sort(_ first: inout Way, _ second: inout Way) {
        (first.bits, second.bits) = (min(first.bits, second.bits), max(first.bits, second.bits))
    }
}

/// A point found; the farthest one, and of equals the one with the greatest id, is first in its heap.
private struct Candidate: HeapElement {
    let haversine: Double
    let id: UInt32

    @inline(__always)
    func isBefore(_ other: Candidate) -> Bool {
        haversine == other.haversine ? id > other.id : haversine > other.haversine
    }
}

extension PointIndex.Neighbor {
    fileprivate func isBefore(_ other: Self) -> Bool {
        distance.meters == other.distance.meters ? id < other.id : distance.meters < other.distance.meters
    }
}

extension [PointIndex.Neighbor] {
    /// Sorts few elements, faster than the library's sort.
    fileprivate mutating func sortByInsertion() {
        for end in indices.dropFirst() {
            let element = self[end]
            var place = end
            while place > 0, element.isBefore(self[place - 1]) {
                self[place] = self[place - 1]
                place -= 1
            }
            self[place] = element
        }
    }
}
