// Map views pad the region that they ask for, and `RegionCache` asks whether one contains another; exact in the integers of
// edges (`RegionTests`, `RegionQueryFixtureTests`). Nothing fails.
extension Region {
    /// Whether all of another region is inside this one.
    public func contains(_ other: Region) -> Bool {
        guard southEdge <= other.southEdge, other.northEdge <= northEdge else { return false }
        guard width < Self.circle else { return true }
        return Self.remainder(Int64(other.westEdge) - Int64(westEdge)) + other.width <= width
    }

    /// The region with a margin on each side: a fraction of its own width and height.
    ///
    /// The result is cut off at the poles, and at the full circle. A fraction of zero or less leaves the
    /// region unchanged.
    public func padded(by fraction: Double) -> Region {
        guard fraction > 0 else { return self }
        let across = Self.margin(width, fraction)
        let up = Self.margin(Int64(northEdge) - Int64(southEdge), fraction)
        return Region(
            from: Int64(westEdge) - across,
            width: width + 2 * across,
            south: Edge(max(Int64(southEdge) - up, -Int64(Self.pole))),
            north: Edge(min(Int64(northEdge) + up, Int64(Self.pole)))
        )
    }

    /// A margin of at most once around the Earth, so that no fraction is too large.
    private static func margin(_ size: Int64, _ fraction: Double) -> Int64 {
        Int64(min((Double(size) * fraction).rounded(), Double(circle)))
    }
}
