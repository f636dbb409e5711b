import Logging
import Synchronization
import NIOCore
package import YonderBus
package import YonderRules
package import YonderModel
import YonderObjects

/// Applies the frames of other nodes to this node's sessions and lists.
///
/// `NodeLink` calls ``receive(_:from:)``, ``gone(_:)`` and ``missedFrames()``, on any thread and in the order of a
/// node's frames; ``runNode()`` runs as long as the server. What needs the store is done later, in the exchange's task
/// group. A read that fails has lists and boards read again, at most once a second; nobody is refused for it.
/// `SignInService` calls the functions for sign-ins: ``storeAnswered(at:hasFailed:)`` and ``storeIsSilent()`` each
/// second.
///
/// A new kind of content is a case of `BusContent` and of ``receive(_:from:)``. That a session ends, on every node, when
/// its sign-in does must stay (decision 32, `NodesTests`, `SilenceTests`). 10 000 users a frame may be changed.
extension Exchange: NodeListener {
    package func receive(_ content: BusContent, from node: UInt64) {
        switch content {
        case .read(let moves): moved(moves)
        case .started(let chat):
            soon { exchange in
                await exchange.reading { () async throws(SharingError) in
                    exchange.started(try await exchange.chats.chat(chat))
                }
            }
        case .userChanged(let user, let showsReads):
            soon { exchange in
                await exchange.reading { () async throws(SharingError) in
                    try await exchange.changedHere(user, showsReads: showsReads)
                }
            }
        case .contactChanged(let contact, let user): contactChangedHere(contact, of: user)
        case .ended(let change): endHere(change)
        case .heartbeat(let heartbeat, let share, let user, let chat):
            receive(heartbeat, of: share, by: user, in: chat)
        case .written(let use, let writer): writes.receive(use, of: writer)
        case .answered(let count, let user): positions.charge(count, to: user, at: uptime())
        case .asked(let user, let chat, let asker): askHere(user, in: chat, by: asker)
        case .blocked(let change): closedChanged([change].compactMap(closed.apply))
        case .shares(let shares): changed(shares)
        case .ask:
            publishPresence()
            publishPins()
        case .world(let news): receiveWorld(news, from: node)
        case .presence(let came, let gone): applyPresence(presence.change(node, came: came, gone: gone))
        case .present(let page): applyPresence(presence.receive(page, of: node))
        case .objectsChanged(let changes): catalog?.receive(changes, at: uptime())
        case .definitionsChanged: catalog?.doubtDefinitions()
        case .alive, .leaving, .committed, .passed, .request, .answer: break
        }
    }

    /// Receives frames of other nodes, and reads missed messages and changes of objects, until cancelled.
    package func runNode() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { [link] in try await link.run() }
            guard let catalog else { return }
            group.addTask { [uptime, sleep] in try await catalog.follow(uptime: uptime, sleep: sleep) }
        }
    }

    package func gone(_ nodes: [UInt64]) {
        for node in nodes { applyPresence(presence.replace(nil, of: node)) }
        removeWorld(of: nodes)
    }

    package func missedFrames() {
        catalog?.missedFrames()
        onEachLoop { $0.refreshLists() }
        onEachLoop { $0.regions.people?.refresh() }
        boardsAreOld.store(true, ordering: .relaxed)
        soon { await $0.readBoards() }
    }

    /// Reads shares and blocks from the store again, because every node keeps them in memory; after a failure, ``run()``
    /// calls this again a second later.
    func readBoards() async {
        guard boardsAreOld.exchange(false, ordering: .relaxed) else { return }
        let past = closed.snapshot
        do throws(SharingError) {
            closedChanged(closed.update(try await accounts.closedChats(), since: past))
            let known = shares { $0.all }
            let stored = try await chats.shares()
            let caughtUp = shares { $0.catchUp(stored, since: known) }
            sharesChanged(caughtUp.changed)
            if !caughtUp.isWhole { boardsAreOld.store(true, ordering: .relaxed) }
        } catch {
            boardsAreOld.store(true, ordering: .relaxed)
            logger.warning("Shares and blocks can't be read", metadata: ["code": "\(error.code)"])
        }
    }

    /// Called when the state after a change can't be read: lists and boards are read again, at most once a second.
    func couldNotRead(_ error: SharingError) {
        if error.code == .unavailable { link.missed() }
    }

    /// Reads and sends the state after a change of another node.
    private func reading(_ body: () async throws(SharingError) -> Void) async {
        do throws(SharingError) { try await body() } catch { couldNotRead(error) }
    }

    /// Closes the chat gates of chats that no session of this node shows.
    func closeGates() async {
        guard link.hasGates else { return }
        var interest: Set<ChatID> = []
        for loop in loops {
            interest.formUnion((try? await loop.eventLoop.submit { loop.value.interest }.get()) ?? [])
        }
        let closed = link.gates.close(except: interest)
        if !closed.isEmpty { shares { $0.unseed(closed) } }
    }

    /// Has every loop show a new chat.
    func started(_ chat: Chat) {
        onEachLoop { loop in
            loop.chats.refresh(chat.id, gone: [])
            loop.regions.people?.started(chat)
        }
    }

    private func applyPresence(_ change: (came: [UserID], gone: [UserID])) {
        presenceChanged(of: change.came + change.gone)
    }

    /// Publishes the users with a session on this node, a page a frame.
    private func publishPresence() {
        presence.publishAll(by: PresencePage.userLimit) { link.publish(.present($0)) }
    }

    /// Runs a call of the store that nobody waits for.
    func soon(_ body: @escaping @Sendable (Exchange) async -> Void) {
        Task { await body(self) }
    }
}

// MARK: Ended sign-ins, changed users and presence on every node

extension Exchange {
    /// Whether the store has answered lately.
    package var hasStore: Bool { !silence.isTooLong(at: uptime()) }

    /// Receives that the store answered a question that was asked at an instant; from the first one on, its silence counts.
    ///
    /// After a silence, and after a commit whose answer was lost, lists and boards are read again, here and on the other
    /// nodes.
    ///
    /// - Parameters:
    ///   - asked: When the question was asked.
    ///   - hasFailed: Whether an earlier question since the last answer had none.
    package func storeAnswered(at asked: ContinuousClock.Instant, hasFailed: Bool = false) {
        let wasSilent = !hasStore && hasFailed
        silence.answered(at: asked)
        if doubts.takeDue(at: asked) {
            link.doubt()
        } else if wasSilent {
            link.missed()
        }
    }

    /// Called while the store doesn't answer: if it has been silent for too long, and another node's store answers, the
    /// clients of everybody who is signed in here connect again, and are led to that node.
    package func storeIsSilent() {
        let patience = StoreSilence.patience + StoreSilence.margin
        guard silence.isTooLong(at: uptime(), patience: patience), link.othersHaveStore else { return }
        onEachLoop { loop in loop.leave { $0.user != nil } }
    }

    /// The credentials that signed in the sessions and the open requests of this node, each with the versions of its account that sessions know.
    package func openSignIns() async -> [SecretHash: Set<Int64>] {
        var found = requests.signIns
        for loop in loops {
            let here = try? await loop.eventLoop.submit { loop.value.signIns }.get()
            found.merge(here ?? [:]) { $0.union($1) }
        }
        return found
    }

    /// Ends the sessions on this node whose credentials the store has no longer.
    package func end(_ credentials: Set<SecretHash>) {
        signIns.note(credentials, at: uptime())
        requests.end(credentials)
        onEachLoop { loop in loop.end { $0.isSignedIn(by: credentials) } }
    }

    /// Has the clients of sessions on this node connect again, because the store has another version of their accounts.
    ///
    /// - Parameter known: The credentials, each with the versions that differed: a session that has followed a change since
    ///   stays.
    package func renew(_ known: [SecretHash: Set<Int64>]) {
        onEachLoop { loop in
            loop.renew { session in
                session.credential.flatMap { known[$0] }?.contains(session.version) ?? false
            }
        }
    }

    /// Ends what a change of sign-ins ends on this node; sessions that stay know the account's new version from now on.
    func endHere(_ change: SignInChange) {
        signIns.note(change, at: uptime())
        requests.end(by: change)
        onEachLoop { loop in
            for session in loop.sessions(of: change.user) { session.follow(change) }
        }
    }

    /// Judges the right to pass on what isn't stored.
    ///
    /// - Throws: `notSignedIn`, `unavailable`.
    package func judge(_ warrant: Warrant) async throws(SharingError) {
        try await accounts.judge(warrant)
    }

    /// Whether a connection that was accepted for a version of the user's account may become a session now.
    package func admits(_ user: UserID, version: Int64, by credential: SecretHash?) -> Bool {
        signIns.admits(user, version: version, by: credential)
    }

    /// Sends a user's new name to the clients that show the user.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - showsReads: Whether the user now shows others how far they have read; `nil` if this hasn't changed.
    /// - Throws: `unavailable`.
    package func changed(_ user: UserID, showsReads: Bool? = nil) async throws(SharingError) {
        link.publish(.userChanged(user, showsReads: showsReads))
        try await changedHere(user, showsReads: showsReads)
    }

    /// Sends a user's new name to the clients of this node that show the user.
    func changedHere(_ user: UserID, showsReads: Bool?) async throws(SharingError) {
        if let showsReads { onEachLoop { $0.chats.topics[user]?.showsReads = showsReads } }
        for contact in try await accounts.contacts(of: user) { contactChangedHere(user, of: contact.id) }
        // In a closed chat the other participant is shown the user as they were.
        let affected = try await chats.lastNumbers(of: user).keys.filter { !closed.contains($0) }
        onEachLoop { loop in
            for chat in affected { loop.chats.refresh(chat, gone: []) }
            loop.regions.people?.renamed(user)
        }
    }

    func entered(_ user: UserID) {
        let isChange = presence.enter(user) { link.publish(.presence(came: [user], gone: [])) }
        if isChange { presenceChanged(of: [user]) }
    }

    func left(_ user: UserID) {
        let isChange = presence.leave(user) { link.publish(.presence(came: [], gone: [user])) }
        if isChange { presenceChanged(of: [user]) }
    }

    /// Has the lists that show these users be sent whether they are online, as it is when a loop sends it: two changes may
    /// reach a loop in another order than they were made.
    private func presenceChanged(of users: [UserID]) {
        guard !users.isEmpty else { return }
        onEachLoop { $0.presence.changed(users) }
    }
}
