public import YonderGeodesy
import YonderWire

/// Something that can be in a live region.
public protocol Locatable: Identifiable, Hashable, Sendable where ID: Sendable {
    /// Where it is.
    var coordinate: Coordinate { get }

    /// Whether it is the same as an older version of it, but for where it is and since when.
    func isSame(elsewhere older: Self) -> Bool
}

/// A thing as it comes in frames.
protocol RegionListed: Locatable {
    /// What else a list has to know to read things, such as the field with their location.
    associatedtype Context: Sendable

    /// What the frame of an answer says of it, or `nil` if it says nothing.
    static func context(in frame: RegionFrame) -> Context?

    /// Which thing a key names, or `nil` if it is one of another kind.
    static func id(_ key: RegionKey) -> ID?

    /// The thing, or `nil` if it is of another kind or has no place.
    init?(_ item: RegionItem, _ context: Context?)

    /// The same thing elsewhere.
    func moved(_ move: RegionMove) -> Self
}
