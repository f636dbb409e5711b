public import YonderGeodesy

/// What happened in a live region.
public struct RegionChange<Item: Locatable>: Hashable, Sendable {
    /// What the list is of now.
    public var region: Region

    /// How many things are in the region, listed or not.
    public var total: Int

    /// Whether the list is that of the region asked for last, and all of it.
    public var isCurrent: Bool

    /// What is no longer on the list.
    public var left: [Item.ID] = []

    /// What is new on the list.
    public var entered: [Item] = []

    /// What is different now.
    public var changed: [Item] = []

    /// What is elsewhere, and otherwise as it was.
    public var moved: [Item] = []

    /// Whether all frames of the answer for the region have come.
    var isWhole: Bool

    /// Whether the list didn't change; region or total may have.
    public var isEmpty: Bool { left.isEmpty && entered.isEmpty && changed.isEmpty && moved.isEmpty }
}

/// What is in a live region: the list, the exact total, and which part of the map both are of.
///
/// A reader keeps one and applies each update to it. What is held, as a selected place is, stays among what is ``shown``
/// when the map moves away from it, or when it isn't among those listed after a reconnect. It goes when it is gone
/// itself: the server says that it left while its place is in the region, or a list that has everything hasn't it.
public struct RegionContents<Item: Locatable>: Hashable, Sendable {
    /// What the list is of.
    public internal(set) var region: Region

    /// How many things are listed at most.
    public internal(set) var limit: Int

    /// How many things are in the region, listed or not.
    public internal(set) var total = 0

    /// What is listed.
    public internal(set) var items: [Item.ID: Item] = [:]

    /// Whether the list is that of the region asked for last, and all of it.
    public internal(set) var isCurrent = false

    /// What is held, until it is gone.
    public private(set) var held: Item.ID?

    /// What is held and not listed.
    private var heldItem: Item?

    /// Nothing, of some region.
    public init(_ region: Region = .everywhere, limit: Int = 0) {
        self.region = region
        self.limit = limit
    }

    /// Whether everything in the region is listed.
    public var isComplete: Bool { total <= items.count }

    /// What is listed, and what is held.
    public var shown: [Item.ID: Item] {
        guard let held, let heldItem else { return items }
        return items.merging([held: heldItem]) { listed, _ in listed }
    }

    /// Holds one of those that are shown, in place of what was held; nothing if it isn't there, or with `nil`.
    public mutating func hold(_ id: Item.ID?) {
        let item = id.flatMap { items[$0] ?? (held == $0 ? heldItem : nil) }
        held = item?.id
        heldItem = id.flatMap { items[$0] } == nil ? item : nil
    }

    /// Takes what a live region says.
    ///
    /// - Returns: What is gone itself, and did not just fall out of view.
    @discardableResult
    public mutating func apply(_ update: LiveUpdate<RegionContents, RegionChange<Item>>) -> Set<Item.ID> {
        switch update {
        case .list(let contents): replace(contents)
        case .change(let change): apply(change)
        }
    }

    /// Takes a new list in place of this one.
    mutating func replace(_ contents: RegionContents) -> Set<Item.ID> {
        let before = items
        (region, limit, total) = (contents.region, contents.limit, contents.total)
        (items, isCurrent) = (contents.items, contents.isCurrent)
        var gone: Set<Item.ID> = []
        for (id, item) in before where items[id] == nil {
            leave(id, item, isSaid: isComplete, &gone)
        }
        if let held, items[held] != nil { heldItem = nil }
        settleHeld(&gone)
        return gone
    }

    /// Takes what happened: what left first, so that there are never more than the limit.
    mutating func apply(_ change: RegionChange<Item>) -> Set<Item.ID> {
        (region, total, isCurrent) = (change.region, change.total, change.isCurrent)
        var gone: Set<Item.ID> = []
        for id in change.left {
            if let item = items.removeValue(forKey: id) { leave(id, item, isSaid: true, &gone) }
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

    /// Notes that something isn't listed anymore; `isSaid` if it would be, were it there.
    private mutating func leave(_ id: Item.ID, _ item: Item, isSaid: Bool, _ gone: inout Set<Item.ID>) {
        let isGone = isSaid && region.contains(item.coordinate)
        if isGone { gone.insert(id) }
        guard id == held else { return }
        if isGone { held = nil } else { heldItem = item }
    }

    /// What is held outside, and is inside now, must be listed if everything is.
    private mutating func settleHeld(_ gone: inout Set<Item.ID>) {
        guard let held, let heldItem, isComplete, region.contains(heldItem.coordinate) else { return }
        gone.insert(held)
        self.held = nil
        self.heldItem = nil
    }
}
