import YonderBus
import YonderModel
import YonderRules
import YonderWire

/// The handling of the client's frames about shares.
///
/// `Session+Frames.swift` calls it on the session's loop. A refusal is a frame with the request's key; a heartbeat
/// without an error has no answer. `PersonLimits` has the limits of heartbeats and questions. One rule must stay: a
/// session's person gets no answer about the people of a chat without being in that chat (`ShareStreamTests`,
/// `Documentation/sharing.md`).
extension Session {
    /// Ends shares of its person, also those whose start this session sent before.
    func stopShares(_ key: String, _ stop: ShareStop) {
        // What is started behind it isn't meant.
        var held = stop
        held.before = stop.before ?? loop.exchange.now()
        guard !starts.holds({ [self] in stopShares(key, held) }) else { return }
        guard let user else { return refuse(FrameRefusal(SharingError.notSignedIn, key: key)) }
        let exchange = loop.exchange
        let warrant = warrant(at: exchange.now())
        read { () async throws(SharingError) in
            try await exchange.stopShares(of: user.id, stop, under: warrant)
        } then: { [self] result in
            switch result {
            case .success(let shares): reply(.stopped(key: key, shares))
            case .failure(let error): refuse(FrameRefusal(error, key: key))
            }
        }
    }

    /// Receives a heartbeat; only a refusal is answered.
    func receive(_ heartbeat: ShareHeartbeat, in chat: ChatID, share: ShareID?) {
        do throws(SharingError) {
            guard let user else { throw .notSignedIn }
            if let error = useWrite(bytes: 0) { throw error }
            try loop.exchange.receive(heartbeat, in: chat, of: user.id, share: share, signIn: credential)
        } catch {
            refuse(FrameRefusal(error, chat: chat))
        }
    }

    /// Asks a participant where they are.
    func ask(_ key: String, _ chat: ChatID, _ asked: UserID) {
        guard let user else { return refuse(FrameRefusal(SharingError.notSignedIn, key: key)) }
        if let error = useWrite(bytes: 0) { return refuse(FrameRefusal(error, key: key, chat: chat)) }
        loop.rosters.withPeople(in: chat, for: self) { [self] people in
            do throws(SharingError) {
                let people = try people.get()
                guard people.contains(user.id) else {
                    throw SharingError(.notParticipant, "You aren't a participant of chat \(chat).")
                }
                guard !loop.rosters.mayOnlyRead(user.id, in: chat) else { throw .onlyReads }
                guard people.contains(asked) else { throw .unknownUser }
                guard loop.exchange.hasStore else { throw .silentStore }
                guard !loop.exchange.closed.contains(chat) else { throw .closedChat }
                loop.exchange.ask(asked, in: chat, by: user.id)
                reply(.sent(key: key, chat: chat, number: nil, time: loop.exchange.now()))
            } catch {
                refuse(FrameRefusal(error, key: key, chat: chat))
            }
        }
    }

    /// Sends the client the result of its request about a share.
    func answer(_ origin: SendOrigin, _ acceptance: Submission.Acceptance) {
        guard let share = acceptance.shares.first, let shown = loop.exchange.shares.shown(share) else {
            return refuse(FrameRefusal(SharingError.shareEnded, key: origin.key, chat: origin.chat))
        }
        let message = acceptance.message
        reply(.shared(key: origin.key, shown, number: message.number, time: message.time))
    }
}
