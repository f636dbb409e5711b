public import YonderGeodesy

/// What is in a part of the map: some of it, and how many there are.
public struct RegionAnswer<Item: Locatable>: Hashable, Sendable {
    /// Which part.
    public var region: Region

    /// How many are listed at most.
    public var limit: Int

    /// How many there are, listed or not.
    public var total: Int

    /// Those that are listed.
    public var items: [Item]

    /// Whether it is out of what is kept here.
    public var isCached = false

    /// Creates an answer.
    public init(region: Region, limit: Int, total: Int, items: [Item], isCached: Bool = false) {
        self.region = region
        self.limit = limit
        self.total = total
        self.items = items
        self.isCached = isCached
    }

    /// What a live region has on its list.
    public init(_ contents: RegionContents<Item>) {
        self.init(
            region: contents.region,
            limit: contents.limit,
            total: contents.total,
            items: Array(contents.items.values)
        )
    }

    /// Whether everything in the region is listed.
    public var isComplete: Bool { total <= items.count }
}
