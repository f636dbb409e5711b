public import YonderGeodesy

/// The items in a region: a list of some or all of them, and the total.
///
/// `SharingClient.findObjects`, `RegionQuery` and `AskedRegion` return one, and `RegionCache` keeps it. Nothing is checked.
/// ``isComplete`` decides whether an answer may stand for a smaller region, so ``total`` must be exact
/// (`RegionQueryFixtureTests`). It isn't sent or stored, so members may be added.
public struct RegionAnswer<Item: Locatable>: Hashable, Sendable {
    /// The region.
    public var region: Region

    /// The most items listed.
    public var limit: Int

    /// The number of items inside, listed or not.
    public var total: Int

    /// The listed items.
    public var items: [Item]

    /// Whether the answer comes from the client's cache.
    public var isCached = false

    /// Creates an answer.
    public init(region: Region, limit: Int, total: Int, items: [Item], isCached: Bool = false) {
        self.region = region
        self.limit = limit
        self.total = total
        self.items = items
        self.isCached = isCached
    }

    /// Creates an answer from the contents of a live region.
    public init(_ contents: RegionContents<Item>) {
        self.init(
            region: contents.region,
            limit: contents.limit,
            total: contents.total,
            items: Array(contents.items.values)
        )
    }

    /// Whether every item in the region is listed.
    public var isComplete: Bool { total <= items.count }
}
