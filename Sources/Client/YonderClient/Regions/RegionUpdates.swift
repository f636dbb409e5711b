public import YonderGeodesy
public import YonderModel

/// The items in a region, kept current, for one reader who may move the region.
///
/// The first update is the list, then each change follows, as with ``LiveUpdates``; apply each update to a
/// ``RegionContents``. After a lost connection the subscription continues with the region requested last, and
/// the next update is the list again. The subscription lasts as long as this sequence, or its iterator.
///
/// `SharingClient+Regions.swift` returns one; one task of the app reads it, any may move it. It throws the refusal that ended
/// the subscription (`RegionUpdatesTests`).
public struct RegionUpdates<Item: Locatable>: AsyncSequence, Sendable {
    /// An update of the region.
    public typealias Element = LiveUpdate<RegionContents<Item>, RegionChange<Item>>
    /// The error that ended the subscription.
    public typealias Failure = SharingError
    /// Reads the updates.
    public typealias AsyncIterator = LiveUpdates<RegionContents<Item>, RegionChange<Item>>.AsyncIterator

    let updates: LiveUpdates<RegionContents<Item>, RegionChange<Item>>
    let mover: @Sendable (Region) async -> Void

    /// Begins to read; call this once, as the sequence has one reader.
    public func makeAsyncIterator() -> AsyncIterator {
        updates.makeAsyncIterator()
    }

    /// Moves the region; the server then sends the difference.
    ///
    /// One move is in flight at a time; of the moves requested meanwhile only the newest is sent.
    public func move(to region: Region) async {
        await mover(region)
    }
}
