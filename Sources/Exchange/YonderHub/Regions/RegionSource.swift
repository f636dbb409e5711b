import YonderGeodesy
import YonderModel
import YonderRules
import YonderWire

/// The items on a map, as the live regions of one event loop need them.
///
/// A source belongs to its event loop, even if the index that it reads doesn't: objects, for instance, are in an
/// index that all loops share (``ObjectFeed``). A ``RegionRoom`` queries the source. The owner of both calls
/// ``RegionRoom/stir()`` when there are new events. ``RegionSubscription/isVisible`` decides what a viewer
/// may see; call ``RegionRoom/visibilityChanged(of:at:for:isVisible:)`` whenever its answer changes.
protocol RegionSource: AnyObject {
    /// Appends the JSON for an item's change, given the item's number.
    typealias Writing = (PointIndex.ID, Passage, inout RegionPageWriter) -> Void

    /// The events since the last call of this method or of ``visit(_:)``, in order.
    func takeNews() -> [IndexEvent]

    /// Calls `body` with the index and the events since the last call, which the index already includes.
    ///
    /// Keep `body` short: an index that loops share is locked meanwhile. An item that was sent can still be
    /// written by its number until ``release(unless:)`` frees that number.
    func visit(_ body: (borrowing PointIndex, [IndexEvent], Writing) -> Void)

    /// Frees the numbers of removed items, except those that a viewer still shows.
    func release(unless isHeld: (PointIndex.ID) -> Bool)

    /// Called after the last viewer left; no other method is called afterward.
    func end()
}
