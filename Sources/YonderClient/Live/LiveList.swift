import YonderWire

/// What a subscription has brought so far, and what a frame changes in it.
protocol LiveList: Sendable {
    associatedtype Snapshot: Sendable
    associatedtype Change: Sendable

    /// What to subscribe with: where it has stopped, if the query can go on from there.
    var query: StreamQuery { get }

    /// All of it.
    var snapshot: Snapshot { get }

    /// Whether the answer is complete.
    var isCurrent: Bool { get }

    /// The query is asked anew; its answer will come.
    mutating func reopen()

    /// Takes a frame of the subscription's.
    mutating func apply(_ frame: ServerFrame) -> LiveStep<Change>

    /// What the server is to be told after an answer, if anything waits for that.
    mutating func nextFrame(of id: Int64) -> ClientFrame?
}

extension LiveList {
    mutating func nextFrame(of id: Int64) -> ClientFrame? { nil }
}

/// What a frame did to a list.
enum LiveStep<Change: Sendable>: Sendable {
    case nothing
    /// The answer is there.
    case list
    case changes([Change])
}

extension LiveStep: Equatable where Change: Equatable {}
