import YonderGeodesy
import YonderModel
import YonderWire

/// Things on a map, as the live regions of one event loop need them.
///
/// Belongs to the loop, whatever stands behind it: objects are in an index that all loops share (``PlaceFeed``). A
/// ``RegionRoom`` asks it; ``RegionRoom/stir()`` is called by whoever made both when there is news. Where not everyone may
/// see everything, ``RegionSubscription/isVisible`` says what, and
/// ``RegionRoom/visibilityChanged(of:at:for:isVisible:)`` when that is another.
protocol RegionSource: AnyObject {
    /// Appends what a client is told of a thing, by the thing's number.
    typealias Writing = (PointIndex.ID, Passage, inout RegionPageWriter) -> Void

    /// What happened since this, or ``visit(_:)``, was last called, in order.
    func takeNews() -> [PlaceEvent]

    /// Calls `body` with the index, as it is after the events that it is given, too; they happened since the last call.
    ///
    /// Short, for others may wait. What was told of by a number can be written until ``release(unless:)`` lets it go.
    func visit(_ body: (borrowing PointIndex, [PlaceEvent], Writing) -> Void)

    /// Lets the numbers of what is gone be used again, but for those that somebody holds.
    func release(unless isHeld: (PointIndex.ID) -> Bool)

    /// Takes in that nobody watches any more; it isn't called again.
    func end()
}
