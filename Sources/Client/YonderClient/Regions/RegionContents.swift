public import YonderGeodesy

/// A change in a live region.
public struct RegionChange<Item: Locatable>: Hashable, Sendable {
    /// The region that the list covers.
    public var region: Region

    /// The number of items in the region, listed or not.
    public var total: Int

    /// Whether the list is the complete answer for the region requested last.
    public var isCurrent: Bool

    /// The items removed from the list.
    public var left: [Item.ID] = []

    /// The items added to the list.
    public var entered: [Item] = []

    /// The items whose values changed.
    public var changed: [Item] = []

    /// The items of which only the position changed.
    public var moved: [Item] = []

    /// Whether all frames of the answer for the region have arrived.
    var isWhole: Bool

    /// Whether the list is unchanged; region and total may have changed.
    public var isEmpty: Bool { left.isEmpty && entered.isEmpty && changed.isEmpty && moved.isEmpty }
}

/// The contents of a live region: the list, the exact total, and the region that both cover.
///
/// A reader keeps one value and applies each update to it. A held item, such as a selected object, stays among
/// those ``shown`` when the map moves away from it, or when it isn't listed after a reconnect. It is removed
/// when it no longer exists: when the server removes it while its position is inside the region, or when a
/// complete list doesn't contain it.
///
/// A reader of ``RegionUpdates``, such as `AskedRegion` of the app models, keeps one; the client's `RegionList` has another,
/// from which the updates come. It can't fail. What ``shown`` has is what a map shows, so the held item decides whether a
/// selection survives (decision 14). The order of applying a change must stay: the page has the same in JavaScript, and both
/// are tried with one set of fixtures (`RegionFixtureTests`, `RegionListFixtureTests`).
///
/// Members may be added, as nothing is stored or sent.
public struct RegionContents<Item: Locatable>: Hashable, Sendable {
    /// The region that the list covers.
    public internal(set) var region: Region

    /// The most items listed.
    public internal(set) var limit: Int

    /// The number of items in the region, listed or not.
    public internal(set) var total = 0

    /// The listed items.
    public internal(set) var items: [Item.ID: Item] = [:]

    /// Whether the list is the complete answer for the region requested last.
    public internal(set) var isCurrent = false

    /// The held item, while it exists.
    public private(set) var held: Item.ID?

    /// The held item if it isn't listed, or else `nil`.
    private var heldItem: Item?

    /// Creates empty contents of a region.
    public init(_ region: Region = .everywhere, limit: Int = 0) {
        self.region = region
        self.limit = limit
    }

    /// Whether every item in the region is listed.
    public var isComplete: Bool { total <= items.count }

    /// The listed items, and the held item.
    public var shown: [Item.ID: Item] {
        guard let held, let heldItem else { return items }
        return items.merging([held: heldItem]) { listed, _ in listed }
    }

    /// Holds one of the shown items, in place of the previous one; holds none if the id is `nil` or isn't
    /// shown.
    public mutating func hold(_ id: Item.ID?) {
        let item = id.flatMap { items[$0] ?? (held == $0 ? heldItem : nil) }
        held = item?.id
        heldItem = id.flatMap { items[$0] } == nil ? item : nil
    }

    /// Applies an update of a live region.
    ///
    /// - Returns: The items that no longer exist, without those that merely left the region.
    @discardableResult
    public mutating func apply(_ update: LiveUpdate<RegionContents, RegionChange<Item>>) -> Set<Item.ID> {
        switch update {
        case .list(let contents): replace(contents)
        case .change(let change): apply(change)
        }
    }

    /// Replaces this list by a new one.
    mutating func replace(_ contents: RegionContents) -> Set<Item.ID> {
        let before = items
        (region, limit, total) = (contents.region, contents.limit, contents.total)
        (items, isCurrent) = (contents.items, contents.isCurrent)
        var gone: Set<Item.ID> = []
        for (id, item) in before where items[id] == nil {
            leave(id, item, isProof: isComplete, &gone)
        }
        if let held, items[held] != nil { heldItem = nil }
        settleHeld(&gone)
        return gone
    }

    /// Applies a change: removals first, so that there are never more items than the limit.
    mutating func apply(_ change: RegionChange<Item>) -> Set<Item.ID> {
        (region, total, isCurrent) = (change.region, change.total, change.isCurrent)
        var gone: Set<Item.ID> = []
        for id in change.left {
            if let item = items.removeValue(forKey: id) { leave(id, item, isProof: true, &gone) }
        }
        for item in change.entered { put(item) }
        for item in change.changed { put(item) }
        for item in change.moved { put(item) }
        if change.isWhole { settleHeld(&gone) }
        return gone
    }

    private mutating func put(_ item: Item) {
        items[item.id] = item
        if held == item.id { heldItem = nil }
    }

    /// Handles an item that is no longer listed.
    ///
    /// Pass `isProof: true` if an item inside the region that isn't listed no longer exists.
    private mutating func leave(_ id: Item.ID, _ item: Item, isProof: Bool, _ gone: inout Set<Item.ID>) {
        let isGone = isProof && region.contains(item.coordinate)
        if isGone { gone.insert(id) }
        guard id == held else { return }
        if isGone { held = nil } else { heldItem = item }
    }

    /// Removes the held item if the list is complete and should contain it, but doesn't.
    private mutating func settleHeld(_ gone: inout Set<Item.ID>) {
        guard let held, let heldItem, isComplete, region.contains(heldItem.coordinate) else { return }
        gone.insert(held)
        self.held = nil
        self.heldItem = nil
    }
}
