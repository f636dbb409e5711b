/// All points of a ``PointIndex`` at one instant, readable from any number of tasks.
///
/// `ObjectIndex` takes a snapshot after its changes and publishes it, so that queries on any thread need no lock. It can't
/// fail. That no later change is seen in it must stay (invariant 5 of ``PointIndex``, `PointSnapshotTests` with the thread
/// sanitizer). Memory is kept as long as the snapshot.
public final class PointSnapshot: Sendable {
    /// The points at that instant.
    public let index: PointIndex

    fileprivate init(_ index: consuming PointIndex) {
        self.index = index
    }
}

extension PointIndex {
    /// Returns a snapshot of the points, which later changes don't affect.
    ///
    /// Copies no points: microseconds for a million. While there are snapshots, the first change to each 16
    /// KiB of the index copies these, about a microsecond each; moves all over a million points copy some 25
    /// MB once.
    ///
    /// - Complexity: O(*p*), where *p* is the number of pages of 16 KiB, each with hundreds of points.
    public mutating func snapshot() -> PointSnapshot {
        PointSnapshot(fork())
    }

    private mutating func fork() -> PointIndex {
        PointIndex(
            count: count,
            nodes: nodes.fork(),
            groups: groups.fork(),
            links: links.fork(),
            slots: slots.fork(),
            numbers: (nodeNumbers, groupNumbers),
            free: (freeNode, freeGroup)
        )
    }

    private init(
        count: Int,
        nodes: consuming Pages<Node.Record>,
        groups: consuming Pages<Group.Record>,
        links: consuming Pages<Link.Record>,
        slots: consuming Pages<UInt32>,
        numbers: (UInt32, UInt32),
        free: (UInt32, UInt32)
    ) {
        self.count = count
        self.nodes = nodes
        self.groups = groups
        self.links = links
        self.slots = slots
        (nodeNumbers, groupNumbers) = numbers
        (freeNode, freeGroup) = free
    }
}
