extension PointIndex {
    /// In what order points are chosen and listed.
    public enum Order: Hashable, Sendable {
        /// The index's own: whatever is quickest.
        case own

        /// The lowest ranks first, equal ones by name. Which of equally ranked points are the last to be listed is
        /// the index's choice.
        case rank
    }

    /// Points in a region.
    public struct Selection: Hashable, Sendable {
        /// The names of the chosen points.
        public let ids: [ID]

        /// How many points are in the region, chosen or not.
        public let total: Int
    }

    /// The exact number of points in a region, and at most `limit` of them.
    ///
    /// Costs what the region's edge passes through and what is listed, not what is inside: microseconds. By rank some
    /// ten times as much. A limit below zero counts as zero.
    public func region(_ region: Region, limit: Int, order: Order = .own) -> Selection {
        switch order {
        case .own: first(limit, in: region)
        case .rank: best(limit, in: region)
        }
    }

    /// The exact number of points in a region, without visiting them.
    public func total(in region: Region) -> Int {
        tree.forWindows(of: region, RegionCounter()).total
    }

    /// Calls a function with every point in a region, in the index's own order.
    ///
    /// For what a rank can't say: filters, and other orders. Some nanoseconds a point.
    public func visit(_ region: Region, _ body: (Entry) -> Void) {
        withoutActuallyEscaping(body) { body in
            _ = tree.forWindows(of: region, RegionVisitor(body: body))
        }
    }

    private func first(_ limit: Int, in region: Region) -> Selection {
        // A list of moderate length is worth no second look at the tree for its exact length.
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
