import YonderGeodesy
import YonderModel
import YonderWire

/// The server's answer to a request.
///
/// `FrameDestination` makes it of a frame, `Requests` and `Stops` resume callers with it, and `SharingClient`'s functions
/// take the part that they expect. A wrong kind is the server's fault, and becomes `internalError`. A further kind of answer
/// is a case here and in `FrameDestination` (`SharingClientTests`).
enum Reply: Hashable, Sendable {
    case sent(number: Int64?, time: Timestamp)
    case started(NamedChat, existed: Bool)
    case shared(ShownShare)
    case stopped([ShareID])

    /// The number and time of a stored message.
    ///
    /// - Throws: `internalError` for an answer of another kind.
    func message(in chat: ChatID) throws(SharingError) -> SentMessage {
        guard case .sent(let number?, let time) = self else { throw Self.mismatch }
        return SentMessage(id: Message.ID(chat: chat, number: number), time: time)
    }

    /// The chat that was started, and whether it existed before.
    ///
    /// - Throws: `internalError` for an answer of another kind.
    func chat() throws(SharingError) -> (chat: NamedChat, existed: Bool) {
        guard case .started(let chat, let existed) = self else { throw Self.mismatch }
        return (chat, existed)
    }

    /// The share that was started, changed or ended.
    ///
    /// - Throws: `internalError` for an answer of another kind.
    func share() throws(SharingError) -> ShownShare {
        guard case .shared(let share) = self else { throw Self.mismatch }
        return share
    }

    /// The shares that ended together.
    ///
    /// - Throws: `internalError` for an answer of another kind.
    func ended() throws(SharingError) -> [ShareID] {
        guard case .stopped(let shares) = self else { throw Self.mismatch }
        return shares
    }

    private static var mismatch: SharingError {
        SharingError(.internalError, "The server answered a request with another kind of answer.")
    }
}
