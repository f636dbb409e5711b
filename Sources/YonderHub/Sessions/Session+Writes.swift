import YonderModel

/// The rate limits and the order of a session's writes.
extension Session {
    /// The first message of a session that was refused and that its client is expected to send again.
    struct RefusedSend {
        let key: String
        let chat: ChatID

        /// From then on it isn't waited for any more.
        let isForgottenAt: ContinuousClock.Instant
    }

    /// Uses a write of the session's person.
    ///
    /// - Returns: `nil` if it may be written; otherwise the refusal.
    func useWrite(bytes: Int) -> SharingError? {
        guard inFlight < loop.settings.inFlightLimit else {
            return SharingError(
                .tooManyRequests,
                "\(inFlight) frames of this session wait for the disk; send the same again after retryAfter.",
                retryAfter: .milliseconds(100)
            )
        }
        guard let writes, !credit.use(bytes) else { return nil }
        if let error = writes.lend(to: &credit, bytes: bytes) { return error }
        _ = credit.use(bytes)
        return nil
    }

    /// Returns what the session was lent and didn't use.
    func returnCredit() {
        guard credit != WriteCredit() else { return }
        writes?.takeBack(credit)
        credit = WriteCredit()
    }

    /// Uses a write for a message that is kept.
    ///
    /// Clients send several messages without waiting for answers. Once one of these is refused, those behind it are
    /// refused, too, until the first is sent again: so messages reach a chat in the order in which they were sent. A client that
    /// gives up the first is no longer held to that ``patience`` after it might have sent it again.
    ///
    /// - Returns: `nil` if it may be written; otherwise the refusal.
    func useWrite(for key: String, in chat: ChatID, bytes: Int) -> SharingError? {
        if let first = refusedSend, first.key != key || first.chat != chat,
            loop.exchange.uptime() < first.isForgottenAt
        {
            return SharingError(
                .tooManyRequests,
                "A message sent before this one was refused: send that one again first, with its key.",
                retryAfter: WriteAllowance.minimalRest
            )
        }
        refusedSend = nil
        guard let error = useWrite(bytes: bytes) else { return nil }
        let end = loop.exchange.uptime() + (error.retryAfter ?? .zero) + Self.patience
        refusedSend = RefusedSend(key: key, chat: chat, isForgottenAt: end)
        return error
    }

    /// How long after a refusal's `retryAfter` the refused message is waited for.
    private static let patience = Duration.seconds(10)
}

extension Submission {
    /// How many bytes a person's limit counts.
    var byteCount: Int {
        switch action {
        case .message(let draft): draft.byteCount
        case .subject(let subject): subject.utf8.count
        case .lockSubject, .keepPositions, .recall, .add, .leave, .remove, .owner, .startShare, .changeShare,
            .stopShare,
            .endShare:
            0
        }
    }
}

extension MessageDraft {
    /// How many bytes a person's limit counts.
    var byteCount: Int { content.utf8.count + (data?.bytes.count ?? 0) }
}
