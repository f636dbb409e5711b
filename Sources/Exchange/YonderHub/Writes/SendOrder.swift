import YonderModel

/// Keeps one session's messages in order: after one was refused, the session's later ones are refused until that one is
/// sent again.
///
/// Clients send several messages without waiting for answers. Once one of these is refused, those behind it are
/// refused, too, until the first is sent again: so messages reach a chat in the order in which they were sent. If the client
/// doesn't send it within its `retryAfter` and ``patience``, the server forgets it and accepts others.
///
/// `SessionWrites` has one, on the session's loop, and asks it before each kept message. A value; the refusal is the
/// first one's, with its wait. That later messages wait for the refused one must stay, as clients rely on their order
/// (`Documentation/stream.md`, `SendOrderTests`); ``patience`` may be changed.
struct SendOrder {
    /// The first message that was refused and that the client is expected to send again.
    private struct Refused {
        let key: String
        let chat: ChatID

        /// From then on the session doesn't wait for the message any more.
        let isForgottenAt: ContinuousClock.Instant
    }

    private var refused: Refused?

    /// How long after a refusal's `retryAfter` the refused message is waited for.
    static let patience = Duration.seconds(10)

    /// Checks whether a message is next.
    ///
    /// - Parameters:
    ///   - key: The key of the message.
    ///   - chat: The chat of the message.
    ///   - now: The monotonic time, read only while a message is waited for.
    /// - Returns: `nil` if it may be sent; otherwise the refusal.
    @inline(__always)
    mutating func check(
        _ key: String,
        in chat: ChatID,
        at now: @autoclosure () -> ContinuousClock.Instant
    ) -> SharingError? {
        guard let first = refused else { return nil }
        let isSentAgain = first.key == key && first.chat == chat
        guard isSentAgain || now() >= first.isForgottenAt else {
            return SharingError(
                .tooManyRequests,
                "A message sent before this one was refused: send that one again first, with its key.",
                retryAfter: WriteAllowance.minimalRest
            )
        }
        refused = nil
        return nil
    }

    /// Called when a message that was next is refused: the client is expected to send it again.
    mutating func refuse(
        _ key: String,
        in chat: ChatID,
        _ error: SharingError,
        at now: ContinuousClock.Instant
    ) {
        let end = now + (error.retryAfter ?? .zero) + Self.patience
        refused = Refused(key: key, chat: chat, isForgottenAt: end)
    }
}
