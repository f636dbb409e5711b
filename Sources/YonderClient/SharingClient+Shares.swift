public import YonderModel
import YonderWire

extension SharingClient {
    /// Begins to share the caller's position in a chat, and waits until that is on the server's disk.
    ///
    /// The server ends the share; positions of it that are sent later are refused with `shareEnded`. Positions that
    /// ``share(from:with:)`` sends belong to it.
    ///
    /// - Parameters:
    ///   - chat: With whom.
    ///   - wish: Until when, and what becomes of its positions.
    /// - Returns: The share.
    /// - Throws: `invalidField` for an end in the past or over 366 days ahead, `tooMany`, `notParticipant`, `unknownChat`.
    public func startShare(in chat: ChatID, _ wish: ShareWish = ShareWish()) async throws(SharingError)
        -> ShownShare
    {
        try await shared(in: chat) { .startShare(key: $0, chat: chat, wish) }
    }

    /// Changes a running share of the caller's.
    ///
    /// - Throws: `unknownShare`, `shareEnded`, `invalidField`.
    @discardableResult
    public func changeShare(_ share: ShareID, in chat: ChatID, _ edit: ShareEdit) async throws(SharingError)
        -> ShownShare
    {
        try await shared(in: chat) { .changeShare(key: $0, chat: chat, share, edit) }
    }

    /// Ends a running share of the caller's.
    ///
    /// - Throws: `unknownShare`, `shareEnded`.
    @discardableResult
    public func stopShare(_ share: ShareID, in chat: ChatID) async throws(SharingError) -> ShownShare {
        try await shared(in: chat) { .stopShare(key: $0, chat: chat, share) }
    }

    /// Ends every running share of the caller's, in every chat.
    ///
    /// - Returns: Which ended.
    /// - Throws: `unavailable`; some may have ended.
    @discardableResult
    public func stopShares() async throws(SharingError) -> [ShareID] {
        let id = OutgoingKey(key: Self.randomKey(), chat: nil)
        let reply = try await answer(to: id) { post(id, .stopShares(key: id.key)) }
        guard case .stopped(let shares) = reply else { throw Self.mismatch }
        return shares
    }

    /// Sends a heartbeat, which isn't stored; does nothing without a connection.
    ///
    /// Every 15 seconds while a share runs, with the newest fix.
    public func sendHeartbeat(_ heartbeat: ShareHeartbeat, in chat: ChatID, share: ShareID? = nil) {
        guard let link, link.isWritable else { return }
        write(.heartbeat(chat: chat, share: share, heartbeat))
    }

    /// Asks a participant where they are; they may answer or not.
    ///
    /// - Throws: `notParticipant`, `unknownUser`, `unknownChat`.
    public func ask(_ user: UserID, in chat: ChatID) async throws(SharingError) {
        let id = OutgoingKey(key: Self.randomKey(), chat: chat)
        _ = try await answer(to: id) { post(id, .ask(key: id.key, chat: chat, user: user)) }
    }

    /// The shares in a chat and how fresh their positions are, kept current.
    ///
    /// Without a connection, ``Freshness/state(at:)`` has the state of a share from which no report has come since.
    public func freshness(in chat: ChatID) -> LiveUpdates<[ShownShare], ShownShare> {
        watch(ShareList(.freshness(chat)))
    }

    /// The caller's own running shares, in any chat, kept current.
    public func shares() -> LiveUpdates<[ShownShare], ShownShare> {
        watch(ShareList(.shares))
    }

    private func shared(
        in chat: ChatID,
        _ frame: (_ key: String) -> ClientFrame
    ) async throws(SharingError) -> ShownShare {
        let id = OutgoingKey(key: Self.randomKey(), chat: chat)
        let reply = try await answer(to: id) { post(id, frame(id.key)) }
        guard case .shared(let share) = reply else { throw Self.mismatch }
        return share
    }
}
