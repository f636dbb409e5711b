public import YonderGeodesy
import YonderWire

/// An item that can be in a live region.
///
/// `MapObject` and `RegionPerson` implement both; `RegionList` and `RegionContents` use them. An item that can't be decoded
/// is `nil`, and isn't listed (`RegionListFixtureTests`).
public protocol Locatable: Identifiable, Hashable, Sendable where ID: Sendable {
    /// The item's position.
    var coordinate: Coordinate { get }

    /// Whether the item equals an older version, apart from its position and the position's time.
    func isSame(elsewhere older: Self) -> Bool
}

/// An item that region frames can contain.
protocol RegionListed: Locatable {
    /// Data that is needed to decode items, such as the field that holds their location.
    associatedtype Context: Sendable

    /// The context in an answer's frame, or `nil` if there is none.
    static func context(in frame: RegionFrame) -> Context?

    /// The item's id in a key, or `nil` if the key is of another kind.
    static func id(_ key: RegionKey) -> ID?

    /// Decodes an item; `nil` if the item is of another kind or has no position.
    init?(_ item: RegionItem, _ context: Context?)

    /// The item at a new position.
    func moved(_ move: RegionMove) -> Self
}
