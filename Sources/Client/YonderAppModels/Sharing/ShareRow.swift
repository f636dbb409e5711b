public import YonderModel

/// A chat through which the person is seen, or was to be.
///
/// `SharingModel+Texts.swift` makes one for each chat; views show it. A further state needs its text there, and its buttons
/// in every view that switches over it: apps do, too (`SharingModelTests`).
public struct ShareRow: Hashable, Sendable, Identifiable {
    /// How the sharing stands; it says which buttons a screen shows.
    public enum State: Hashable, Sendable {
        /// Nothing is shared: *Share*.
        case off
        /// The start waits for the permission, or for a connection: *Take it back*, which is ``SharingModel/stop(in:)``.
        case awaited
        /// This device shares, and hasn't found its position yet: *Stop*.
        case finding
        /// This device shares: *Stop*.
        case here
        /// The share runs, and this device doesn't send positions: *Go on*, *Stop*.
        case elsewhere
        /// It was stopped, and the server doesn't have the stop yet.
        case stopping
    }

    /// The chat.
    public let id: ChatID

    /// The chat's name.
    public let name: String

    /// How it stands.
    public let state: State

    /// How it stands, in words: *until 16:00 · 42 min left*; empty if nothing is shared.
    public let text: String

    /// What is wrong, or what the person should know; empty for nothing.
    public let problem: String

    /// Whether there is something in ``problem``.
    public var hasProblem: Bool { !problem.isEmpty }

    /// Whether the end can be moved by an hour.
    public let canExtend: Bool
}
