public import YonderGeodesy
public import YonderModel

/// A position that a chat keeps, by the message that brought it.
///
/// `PositionColumns` makes it when it is read; `ChatPositions` returns it, and `PositionPicture` draws it
/// (`PositionStretchTests`).
public struct HeldPosition: Hashable, Sendable, Identifiable {
    /// The message's number in the chat.
    public let number: Int64

    /// The person whose position it is.
    public let sender: UserID

    /// Where the device was.
    public let coordinate: Coordinate

    /// When the device was there.
    public let time: Timestamp

    /// The message's number.
    public var id: Int64 { number }

    package init(number: Int64, sender: UserID, coordinate: Coordinate, time: Timestamp) {
        (self.number, self.sender, self.coordinate, self.time) = (number, sender, coordinate, time)
    }
}
