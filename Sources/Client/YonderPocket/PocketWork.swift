public import YonderModel

/// The calls by which ``PocketSharing`` uses the app's client, which `YonderPocket` doesn't import.
///
/// `SharingModel+Pocket.swift` of `YonderAppModels` makes one for each ``PocketSharing/run(_:)``. The pocket calls
/// ``takeUp`` and ``record`` one after another, ``send`` at most once at a time, and ``stop`` beside them; each may be
/// called again for the same share, position or chat. None throws: positions stay in the outbox, and a stop that isn't among
/// the returned chats stays in the record.
public struct PocketWork: Sendable {
    /// Sends positions into a share again that an earlier process sent into.
    let takeUp: @MainActor @Sendable (PocketShare) async -> Void

    /// Puts an update's position into the outbox, and returns when it is there.
    let record: @MainActor @Sendable (PocketUpdate) async -> Void

    /// Waits until the server has everything that is in the outbox; returns early if the task is canceled.
    let send: @MainActor @Sendable () async -> Void

    /// Stops the person's shares in these chats, as the button does, and returns the chats whose stops the outbox or the
    /// server has.
    let stop: @MainActor @Sendable (Set<ChatID>) async -> Set<ChatID>

    /// Creates the work of an app.
    ///
    /// - Parameters:
    ///   - takeUp: Sends positions into a share again that an earlier process sent into.
    ///   - record: Puts an update's position into the outbox, and returns when it is there.
    ///   - send: Waits until the server has everything that is in the outbox; returns early if the task is canceled.
    ///   - stop: Stops the person's shares in these chats, and returns the chats whose stops the outbox or the server has;
    ///     the stops of the others are repeated by the next process.
    public init(
        takeUp: @escaping @MainActor @Sendable (PocketShare) async -> Void,
        record: @escaping @MainActor @Sendable (PocketUpdate) async -> Void,
        send: @escaping @MainActor @Sendable () async -> Void,
        stop: @escaping @MainActor @Sendable (Set<ChatID>) async -> Set<ChatID>
    ) {
        (self.takeUp, self.record, self.send, self.stop) = (takeUp, record, send, stop)
    }
}
