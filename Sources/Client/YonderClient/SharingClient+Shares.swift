public import YonderModel
import YonderWire

// Shares, questions and heartbeats, for apps and `SharingModel`, from any task. A request without a connection waits, and is
// lost with the process; a heartbeat without one is dropped. Stopping is in `SharingClient+Stops.swift`. What a share may be
// is decided by the server's `ShareRules` (decision 18, `Documentation/sharing.md`, `ShareCallTests`).
extension SharingClient {
    /// Starts a share of the caller's position in a chat, and waits until the server has stored the share.
    ///
    /// The server ends the share; positions of it that are sent later are refused with `shareEnded`. Positions that
    /// ``share(_:with:)`` sends belong to it.
    ///
    /// - Parameters:
    ///   - chat: The chat, whose participants see the positions.
    ///   - wish: The end of the share, and how long its positions are kept.
    /// - Returns: The share.
    /// - Throws: `invalidField` for an end in the past or over 366 days ahead, `tooMany`, `notParticipant`, `unknownChat`;
    ///   `shareEnded` if it was stopped before it was sent.
    public func startShare(in chat: ChatID, _ wish: ShareWish = ShareWish()) async throws(SharingError)
        -> ShownShare
    {
        let id = OutgoingKey.random(in: chat)
        return try await start(id, .startShare(key: id.key, chat: chat, wish), in: chat).share()
    }

    /// Changes a running share of the caller's.
    ///
    /// - Throws: `unknownShare`, `shareEnded`, `invalidField`.
    @discardableResult
    public func changeShare(_ share: ShareID, in chat: ChatID, _ edit: ShareEdit) async throws(SharingError)
        -> ShownShare
    {
        try await answer(in: chat) { .changeShare(key: $0, chat: chat, share, edit) }.share()
    }

    /// Sends a heartbeat, which isn't stored; does nothing without a connection.
    ///
    /// Call this every 15 seconds while a share runs, with the newest fix. Its coordinates are sent with six decimals, its accuracy in
    /// tenths of a meter.
    public func sendHeartbeat(_ heartbeat: ShareHeartbeat, in chat: ChatID, share: ShareID? = nil) {
        offer(.heartbeat(chat: chat, share: share, heartbeat.inTenths))
    }

    /// Asks a participant for their position; an answer is a position sent into the chat.
    ///
    /// - Throws: `notParticipant`, `unknownUser`, `unknownChat`.
    public func ask(_ user: UserID, in chat: ChatID) async throws(SharingError) {
        _ = try await answer(in: chat) { .ask(key: $0, chat: chat, user: user) }
    }

    /// The shares in a chat and how fresh their positions are, kept current.
    ///
    /// Without a connection, ``Freshness/state(at:)`` computes how fresh a share is after a time without reports.
    public func freshness(in chat: ChatID) -> LiveUpdates<[ShownShare], ShownShare> {
        watch(ShareList(.freshness(chat)))
    }

    /// The caller's own running shares, in any chat, kept current.
    public func shares() -> LiveUpdates<[ShownShare], ShownShare> {
        watch(ShareList(.shares))
    }
}
