// The queries of a region: `ObjectIndex` and `PeopleMap` call them on an index or a snapshot. None fails; a negative limit
// counts as zero. The total must be exact whatever the limit, also across the antimeridian, because clients show it (decision
// 7, `PointIndexTests`, `PlacesFixtureTests`). The own order isn't promised and may change with any edit.
extension PointIndex {
    /// The order in which points are chosen and listed.
    public enum Order: Hashable, Sendable {
        /// The index's own order, which is the fastest.
        case own

        /// The lowest ranks first, equal ones by id.
        ///
        /// If the limit cuts through points of equal rank, the index chooses which of them are listed.
        case rank
    }

    /// Points in a region.
    public struct Selection: Hashable, Sendable {
        /// The ids of the chosen points.
        public let ids: [ID]

        /// The number of points in the region, chosen or not.
        public let total: Int
    }

    /// Returns the exact number of points in a region, and at most `limit` of them.
    ///
    /// A limit below zero counts as zero.
    ///
    /// - Complexity: O(*e* + *k*) in the index's own order, where *e* is the number of cells on the region's edge and
    ///   *k* that of the points listed, however many are inside: microseconds. By rank O((*e* + *k*) log (*e* + *k*)),
    ///   some ten times as much; points that share few ranks cost O(*n*) at worst.
    public func region(_ region: Region, limit: Int, order: Order = .own) -> Selection {
        switch order {
        case .own: first(limit, in: region)
        case .rank: best(limit, in: region)
        }
    }

    /// The exact number of points in a region, computed without visiting them.
    ///
    /// - Complexity: O(*e*), where *e* is the number of cells on the region's edge.
    public func total(in region: Region) -> Int {
        tree.forWindows(of: region, RegionCounter()).total
    }

    /// Calls a function with every point in a region, in the index's own order.
    ///
    /// Use it for filters, and for orders other than the rank.
    ///
    /// - Complexity: O(*e* + *k*), where *e* is the number of cells on the region's edge and *k* that of the points
    ///   inside: some nanoseconds a point.
    public func visit(_ region: Region, _ body: (Entry) -> Void) {
        withoutActuallyEscaping(body) { body in
            _ = tree.forWindows(of: region, RegionVisitor(body: body))
        }
    }

    private func first(_ limit: Int, in region: Region) -> Selection {
        // For a list of moderate length, finding its exact length first isn't worth a second pass through the
        // tree.
        let capacity = limit <= 4096 ? max(0, limit) : min(limit, total(in: region))
        var total = 0
        let ids = [ID](unsafeUninitializedCapacity: capacity + Group.size) { buffer, initialized in
            guard let output = buffer.baseAddress else { return }
            let collector = RegionCollector(output: UnsafeMutableRawPointer(output), limit: capacity)
            let collected = tree.forWindows(of: region, collector)
            total = collected.total
            initialized = collected.listed
        }
        return Selection(ids: ids, total: total)
    }
}
