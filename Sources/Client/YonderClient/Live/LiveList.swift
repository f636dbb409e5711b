import YonderWire

/// The result of a subscription so far, and how each frame changes it.
///
/// `LiveFeed` has one for its subscription and calls it for each frame; `MessageList`, `ChatList`, `ContactList`,
/// `PresenceList`, `ShareList`, `WorldList`, `RegionList` and `PositionFeed` implement it. None fails: a frame of another
/// kind is `nothing`. That a list equals a new one after any frames and cuts is what the SDK's model tries
/// (`SubscriptionModelTests`); a further list needs its steps there.
protocol LiveList: Sendable {
    associatedtype Snapshot: Sendable
    associatedtype Change: Sendable

    /// The query to subscribe with; it continues where the last connection ended, if the query permits.
    var query: StreamQuery { get }

    /// The whole list.
    var snapshot: Snapshot { get }

    /// Whether the answer is complete.
    var isCurrent: Bool { get }

    /// Call this when the query is about to be sent again, and a new answer will arrive.
    mutating func reopen()

    /// Applies a frame of the subscription.
    mutating func apply(_ frame: ServerFrame) -> LiveStep<Change>

    /// The frame to send after an answer, or `nil` if none was waiting for it.
    mutating func nextFrame(of id: Int64) -> ClientFrame?

    /// Whether the list misses an item that only a new answer has; then the query is sent again.
    var mustAskAnew: Bool { get }
}

extension LiveList {
    mutating func nextFrame(of id: Int64) -> ClientFrame? { nil }

    var mustAskAnew: Bool { false }
}

/// The effect of a frame on a list.
enum LiveStep<Change: Sendable>: Sendable {
    case nothing
    /// The answer is complete.
    case list
    case changes([Change])
}

extension LiveStep: Equatable where Change: Equatable {}
