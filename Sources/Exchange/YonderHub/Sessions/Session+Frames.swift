import NIOCore
import YonderRules
import YonderGeodesy
import YonderModel
import YonderWire
import YonderWorld

/// The handling of each frame from the client.
///
/// `Session` calls `handle(_:)` for each frame that was read, in their order, on its event loop. Nothing waits: an answer
/// that needs the store follows later, with the frame's key. A refusal is sent as a frame, and the session goes on. Limits
/// are used before anything is submitted. A further frame is a case here.
///
/// Which frames there are is in `Documentation/stream.md`; that a refused write uses nothing, and that answers of kept
/// messages have the order of the sends, must stay (`ExchangeTests`, `SendOrderTests`).
extension Session {
    func handle(_ frame: ClientFrame) {
        switch frame {
        case .subscribe(let id, let query): subscribe(id, query)
        case .unsubscribe(let id): unsubscribe(id)
        case .send(let send): handle(send)
        case .recall(let key, let chat, let number): submit(key, chat, .recall(number: number))
        case .subject(let key, let chat, let subject): submit(key, chat, .subject(subject))
        case .lockSubject(let key, let chat, let isLocked): submit(key, chat, .lockSubject(isLocked))
        case .keepPositions(let key, let chat, let keeping): submit(key, chat, .keepPositions(keeping))
        case .add(let key, let chat, let users): add(key, chat, users)
        case .leave(let key, let chat, let stayOut): submit(key, chat, stayOut ? .stayOut : .leave)
        case .remove(let key, let chat, let user): submit(key, chat, .remove(user))
        case .owner(let key, let chat, let user): submit(key, chat, .owner(user))
        case .read(let chat, let number): mark(chat, number)
        case .start(let key, let invitees, let subject, let isOneToOne):
            start(key, invitees, subject, isOneToOne)
        case .pin(let position, let until): move(to: position, until: until)
        case .move(let id, let step, let region):
            moveRegion(id, RegionSubscription.Move(step: step, region: region))
        case .startShare(let key, let chat, let wish): submit(key, chat, .startShare(.random(), wish))
        case .changeShare(let key, let chat, let share, let edit):
            submit(key, chat, .changeShare(share, edit))
        case .stopShare(let key, let chat, let share): submit(key, chat, .stopShare(share))
        case .stopShares(let key, let stop): stopShares(key, stop)
        case .heartbeat(let chat, let share, let heartbeat): receive(heartbeat, in: chat, share: share)
        case .ask(let key, let chat, let user): ask(key, chat, user)
        case .ping: reply(.pong(time: loop.exchange.now()))
        }
    }

    /// Sends the client the result of its send.
    func answer(_ origin: SendOrigin, _ result: Result<Submission.Acceptance, SharingError>) {
        writeEnded()
        defer { if origin.isStart { for stop in starts.end() { stop() } } }
        if let charge = origin.charge, (try? result.get().isRepeat) ?? true {
            loop.exchange.giveBack(charge)
        }
        switch result {
        case .success(let acceptance) where acceptance.message.tag == .share: answer(origin, acceptance)
        case .success(let acceptance):
            let message = acceptance.message
            reply(.sent(key: origin.key, chat: origin.chat, number: message.number, time: message.time))
        case .failure(let error):
            refuse(FrameRefusal(error, key: origin.key, chat: origin.chat))
        }
    }

    /// The right by which the session's user makes a change at a time.
    ///
    /// The session's own end is what ends its messages; what it changes otherwise is judged by the store, too.
    func warrant(at time: Timestamp) -> Warrant {
        guard let user, let credential else { return .server }
        return .signIn(
            HeldSignIn(
                user: user.id,
                credential: credential,
                expires: expires,
                version: version,
                needsOperator: false,
                isOfStream: true,
                time: time
            )
        )
    }

    private func handle(_ send: SendFrame) {
        if send.keep {
            submit(send.key, send.chat, .message(send.draft))
        } else {
            pass(send)
        }
    }

    private func submit(
        _ key: String,
        _ chat: ChatID,
        _ action: Submission.Action,
        _ charge: PersonLedger.Charge? = nil
    ) {
        guard let sender = sender(key, chat) else { return }
        let time = loop.exchange.now()
        let submission = Submission(
            chat: chat,
            sender: sender,
            key: key,
            action: action,
            time: time,
            source: source,
            under: warrant(at: time)
        )
        if let error = useWrite(for: submission) {
            if let charge { loop.exchange.giveBack(charge) }
            return refuse(FrameRefusal(error, key: key, chat: chat))
        }
        writeBegan()
        var origin = SendOrigin(session: self, key: key, chat: chat, charge: charge)
        if case .startShare = action { origin.isStart = true }
        if origin.isStart { starts.begin() }
        loop.submit(submission, from: origin)
    }

    /// Adds people to a chat; the exchange counts that first.
    private func add(_ key: String, _ chat: ChatID, _ users: [UserID]) {
        guard let sender = sender(key, chat) else { return }
        if let error = useWrite(bytes: 0) { return refuse(FrameRefusal(error, key: key, chat: chat)) }
        let exchange = loop.exchange
        decide { () async throws(SharingError) in
            try await exchange.charge(adding: users, to: chat, by: sender)
        } then: { [self] result in
            switch result {
            case .success(let charge): submit(key, chat, .add(users), charge)
            case .failure(let error): refuse(FrameRefusal(error, key: key, chat: chat))
            }
        }
    }

    /// Sends an unkept message, under the same permissions and limits as a kept one.
    private func pass(_ send: SendFrame) {
        guard let sender = sender(send.key, send.chat) else { return }
        do throws(SharingError) {
            try IdempotencyKey.check(send.key)
            try send.draft.check()
            if let error = useWrite(bytes: send.draft.byteCount) { throw error }
        } catch {
            return refuse(FrameRefusal(error, key: send.key, chat: send.chat))
        }
        writeBegan()
        loop.rosters.withPeople(in: send.chat, for: self) { [self] people in
            writeEnded()
            pass(send, from: sender, people)
        }
    }

    private func pass(_ send: SendFrame, from sender: UserID, _ people: Result<Set<UserID>, SharingError>) {
        switch people {
        case .failure(let error): refuse(FrameRefusal(error, key: send.key, chat: send.chat))
        case .success(let people) where !people.contains(sender):
            let error = SharingError(.notParticipant, "You aren't a participant of chat \(send.chat).")
            refuse(FrameRefusal(error, key: send.key, chat: send.chat))
        case .success:
            do throws(SharingError) {
                guard !loop.rosters.mayOnlyRead(sender, in: send.chat) else { throw .onlyReads }
                let message = try loop.exchange.unkept(
                    send.draft,
                    in: send.chat,
                    of: sender,
                    signIn: credential
                )
                loop.exchange.pass(message)
                reply(.sent(key: send.key, chat: send.chat, number: nil, time: message.time))
            } catch {
                refuse(FrameRefusal(error, key: send.key, chat: send.chat))
            }
        }
    }

    private func sender(_ key: String, _ chat: ChatID) -> UserID? {
        if user == nil { refuse(FrameRefusal(SharingError.notSignedIn, key: key, chat: chat)) }
        return user?.id
    }

    private func start(_ key: String, _ invitees: [UserID], _ subject: String, _ isOneToOne: Bool) {
        guard let user else { return refuse(FrameRefusal(SharingError.notSignedIn, key: key)) }
        let wish = ChatStart(
            creator: user.id,
            invitees: invitees,
            subject: subject,
            isOneToOne: isOneToOne,
            key: key
        )
        let exchange = loop.exchange
        let warrant = warrant(at: exchange.now())
        read { () async throws(SharingError) in
            let outcome = try await exchange.start(wish, under: warrant)
            let named = try await exchange.chats.named(
                [outcome.chat],
                with: exchange.accounts,
                for: user.id,
                isClosed: exchange.isClosed,
                now: exchange.now()
            )
            return (outcome.existed, named)
        } then: { [self] result in
            switch result {
            case .success(let (existed, chats)):
                for chat in chats { reply(.started(key: key, existed: existed, chat)) }
            case .failure(let error): refuse(FrameRefusal(error, key: key))
            }
        }
    }

    private func move(to position: WorldPosition, until: Timestamp?) {
        guard let pin = subscriptions.pin else {
            let error = SharingError(
                .notAllowed,
                "pin is allowed only while you subscribe to the query world."
            )
            return refuse(FrameRefusal(error))
        }
        do throws(SharingError) {
            try loop.world.move(pin, to: position, until: until, time: loop.exchange.now())
        } catch {
            refuse(FrameRefusal(error))
        }
    }
}

extension SharingError {
    static let notSignedIn = SharingError(
        .notSignedIn,
        "This needs an account: connect with a bearer token or a session's cookie."
    )
}
