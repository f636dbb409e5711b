import YonderModel

/// A session's reads of the store: bounded, and gone with the session.
extension Session {
    /// Reads from the store for this session.
    ///
    /// While ``HubSettings/pendingReadLimit`` of its reads are queued or under way, nothing more is received from the
    /// session's client; its pings are answered. Beyond the limit are only reads that continue subscriptions that fell
    /// behind, at most one for each.
    ///
    /// - Parameters:
    ///   - ask: Asks the store.
    ///   - then: Receives the answer, unless the read is canceled or the session ends before.
    /// - Returns: The read, to be canceled when its answer isn't wanted any more.
    @discardableResult
    func read<Answer: Sendable>(
        _ ask: @escaping @Sendable () async throws(SharingError) -> Answer,
        then: @escaping (Result<Answer, SharingError>) -> Void
    ) -> PendingRead {
        // The read keeps the session until it ends. A weak reference would make every later use of the session slower.
        var name: ObjectIdentifier?
        let read = loop.read(in: lane, onEnd: { [self] in readEnded(name) }, ask, then: then)
        name = ObjectIdentifier(read)
        reads[ObjectIdentifier(read)] = read
        if reads.count >= loop.settings.pendingReadLimit { transport.pauseReceiving() }
        return read
    }

    /// Cancels every read of the session.
    func cancelReads() {
        for read in reads.values { read.cancel() }
        reads = [:]
    }

    private func readEnded(_ name: ObjectIdentifier?) {
        guard let name, reads.removeValue(forKey: name) != nil, !isClosed else { return }
        if reads.count == loop.settings.pendingReadLimit - 1 { transport.resumeReceiving() }
    }
}
