import YonderBus
package import YonderRules
import YonderGeodesy
package import YonderModel

/// Messages that are sent to the connected subscribers and not stored.
///
/// `ChatGateway` and `Session+Frames.swift` call it, on any thread. The server stores nothing, so a client that is
/// not connected at that moment never gets the message. A refusal sends nothing. Two rules must stay: the permissions
/// are those of kept messages; and if the store hasn't answered for 15 s, the message is refused, as the chat's
/// participants may have changed (`SilenceTests`, `Documentation/stream.md`).
extension Exchange {
    /// Sends a message to the connected subscribers without storing it.
    ///
    /// - Throws: ``SharingError`` with code `unknownChat`, `notParticipant`, `reservedTag`, `messageTooLarge`,
    ///   `tooManyRequests`, `shareEnded`, `notAllowed` or `unavailable`.
    package func pass(
        _ draft: MessageDraft,
        to chat: ChatID,
        from sender: UserID,
        signIn: SecretHash? = nil
    ) async throws(SharingError) {
        try draft.check()
        try use(bytes: draft.byteCount, of: sender)
        let participant = try ChatRules.present(sender, in: try await chats.chat(chat))
        guard !participant.mayOnlyRead else { throw .onlyReads }
        pass(try unkept(draft, in: chat, of: sender, signIn: signIn))
    }

    /// Makes an unkept message: a position gets the share that it belongs to.
    ///
    /// - Throws: `shareEnded`, `notAllowed` in a closed chat, or `unavailable` if the store hasn't answered for 15 s, as the chat's
    ///   participants may have changed meanwhile.
    func unkept(_ draft: MessageDraft, in chat: ChatID, of sender: UserID, signIn: SecretHash?)
        throws(SharingError)
        -> Message
    {
        guard hasStore else { throw .silentStore }
        guard !closed.contains(chat) else { throw .closedChat }
        var message = Message(unkept: draft, chat: chat, sender: sender, at: now())
        guard draft.tag == .location else { return message }
        let share = try shares { roll throws(SharingError) in
            let id = try roll.place(draft, in: chat, of: sender, source: signIn?.source, at: message.time)
            return id.flatMap { roll.share($0, of: sender, in: chat) }
        }
        if let share { feed(share, by: signIn) }
        message.share = share?.id
        return message
    }
}
