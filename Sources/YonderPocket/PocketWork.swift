public import YonderModel

/// What an app does for ``PocketSharing``: it has the client, and the pocket has not.
public struct PocketWork: Sendable {
    /// Sends positions into a share again that an earlier process sent into.
    let takeUp: @MainActor @Sendable (PocketShare) async -> Void

    /// Puts an update's position into the outbox, and returns when it is there.
    let record: @MainActor @Sendable (PocketUpdate) async -> Void

    /// Waits until the server has everything that is in the outbox; returns early if the task is canceled.
    let send: @MainActor @Sendable () async -> Void

    /// Stops the person's shares in these chats, as the button does, and returns when the outbox has the stops.
    let stop: @MainActor @Sendable (Set<ChatID>) async -> Void

    /// Creates the work of an app.
    ///
    /// - Parameters:
    ///   - takeUp: Sends positions into a share again that an earlier process sent into.
    ///   - record: Puts an update's position into the outbox, and returns when it is there.
    ///   - send: Waits until the server has everything that is in the outbox; returns early if the task is canceled.
    ///   - stop: Stops the person's shares in these chats, and returns when the outbox has the stops.
    public init(
        takeUp: @escaping @MainActor @Sendable (PocketShare) async -> Void,
        record: @escaping @MainActor @Sendable (PocketUpdate) async -> Void,
        send: @escaping @MainActor @Sendable () async -> Void,
        stop: @escaping @MainActor @Sendable (Set<ChatID>) async -> Void
    ) {
        (self.takeUp, self.record, self.send, self.stop) = (takeUp, record, send, stop)
    }
}
