public import YonderGeodesy
public import YonderModel

/// What is in a part of the map, kept current, for one reader who may move it.
///
/// It says first what is there, then what changed, as ``LiveUpdates`` does; a reader applies each update to a
/// ``RegionContents``. After a lost connection it goes on with the region asked for last: then, too, the next update
/// is the list. The subscription lasts as long as this, or its iterator.
public struct RegionUpdates<Item: Locatable>: AsyncSequence, Sendable {
    /// What it says.
    public typealias Element = LiveUpdate<RegionContents<Item>, RegionChange<Item>>
    /// Why it ended.
    public typealias Failure = SharingError
    /// Reads updates.
    public typealias AsyncIterator = LiveUpdates<RegionContents<Item>, RegionChange<Item>>.AsyncIterator

    let updates: LiveUpdates<RegionContents<Item>, RegionChange<Item>>
    let mover: @Sendable (Region) async -> Void

    /// Begins to read; only one reader may.
    public func makeAsyncIterator() -> AsyncIterator {
        updates.makeAsyncIterator()
    }

    /// Moves the region: the server says what is different.
    ///
    /// One move is on its way at a time; of those that come meanwhile the newest waits.
    public func move(to region: Region) async {
        await mover(region)
    }
}
