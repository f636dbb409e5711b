import Logging
import Synchronization
import NIOCore
package import YonderBus
public import YonderModel
import YonderObjects
import YonderShares

/// Applies the frames of other nodes to this node's sessions and lists.
extension Exchange: NodeListener {
    package func deliver(_ published: [Published]) {
        let changed = published.flatMap(\.shares)
        take(changed)
        for message in published where !message.isKept { passHere(message) }
        let kept = published.filter(\.isKept)
        if !kept.isEmpty { distribute(kept) }
        sharesChanged(changed)
    }

    package func receive(_ content: BusContent, from node: UInt64) {
        switch content {
        case .read(let moves): moved(moves)
        case .started(let chat): soon { if let chat = try? await $0.chats.chat(chat) { $0.started(chat) } }
        case .userChanged(let user, let showsReads):
            soon { try? await $0.changedHere(user, showsReads: showsReads) }
        case .contactChanged(let contact, let user): contactChangedHere(contact, of: user)
        case .ended(let credentials): endHere(Set(credentials))
        case .userEnded(let user): endHere(user)
        case .heartbeat(let heartbeat, let share, let user, let chat):
            receive(heartbeat, of: share, by: user, in: chat)
        case .written(let use, let writer): writes.receive(use, of: writer)
        case .asked(let user, let chat, let asker): askHere(user, in: chat, by: asker)
        case .blocked(let chat, let blocker, true): closed.close(chat, by: blocker)
        case .blocked(let chat, let blocker, false): closed.open(chat, by: blocker)
        case .ask:
            publishPresence()
            publishPins()
        case .world(let news): receiveWorld(news, from: node)
        case .presence(let came, let gone): applyPresence(presence.change(node, came: came, gone: gone))
        case .present(let users, true): applyPresence(presence.replace(Set(users), of: node))
        case .present(let users, false): applyPresence(presence.change(node, came: users, gone: []))
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

    /// Reads shares and blocks from the store again, because every node keeps them in memory; after a failure, ``run()`` calls this again
    /// a second later.
    func readBoards() async {
        guard boardsAreOld.exchange(false, ordering: .relaxed) else { return }
        let blocks = closed.blocks
        do throws(SharingError) {
            closed.update(try await accounts.closedChats(), since: blocks)
            let stored = try await chats.shares()
            sharesChanged(shares { $0.catchUp(stored) })
        } catch {
            boardsAreOld.store(true, ordering: .relaxed)
            logger.warning("Shares and blocks can't be read", metadata: ["code": "\(error.code)"])
        }
    }

    /// Closes the gates of chats that no session of this node shows.
    func closeGates() async {
        guard !link.isAlone else { return }
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
        changed(online: change.came, isOnline: true)
        changed(online: change.gone, isOnline: false)
    }

    /// Publishes the users with a session on this node, at most 10 000 a frame.
    private func publishPresence() {
        let size = 10_000
        presence.publishAll { users in
            for start in stride(from: 0, through: users.count, by: size) {
                let part = Array(users[start..<min(start + size, users.count)])
                link.publish(.present(part, isFirst: start == 0))
            }
        }
    }

    private func soon(_ body: @escaping @Sendable (Exchange) async -> Void) {
        Task { await body(self) }
    }
}

// MARK: Ended sign-ins, changed users and presence on every node

extension Exchange {
    /// Ends the sessions that a credential signed in.
    public func end(_ credential: SecretHash) {
        end([credential])
    }

    /// Ends the sessions that any of these credentials signed in, and those that are being opened with one.
    public func end(_ credentials: Set<SecretHash>) {
        endHere(credentials)
        endShares(of: credentials)
        link.publish(.ended(Array(credentials)))
    }

    /// Ends every session of a user.
    public func end(user: UserID) {
        endHere(user)
        link.publish(.userEnded(user))
    }

    /// The credentials that signed in the sessions of this node.
    package func signIns() async -> Set<SecretHash> {
        var found: Set<SecretHash> = []
        for loop in loops {
            let here = try? await loop.eventLoop.submit { loop.value.signIns }.get()
            found.formUnion(here ?? [])
        }
        return found
    }

    /// Ends the sessions on this node that any of these credentials signed in.
    func endHere(_ credentials: Set<SecretHash>) {
        ended.insert(credentials, at: uptime())
        onEachLoop { loop in loop.end { $0.isSignedIn(by: credentials) } }
    }

    /// Ends every session of a user on this node.
    func endHere(_ user: UserID) {
        onEachLoop { loop in loop.end { $0.user?.id == user } }
    }

    /// Whether a credential has ended a moment ago: a connection that was accepted before must not become a session now.
    package func hasEnded(_ credential: SecretHash) -> Bool {
        ended.contains(credential)
    }

    /// Sends a user's new name to the clients that show the user.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - showsReads: Whether the user now shows others how far they have read; `nil` if this hasn't changed.
    /// - Throws: `unavailable`.
    public func changed(_ user: UserID, showsReads: Bool? = nil) async throws(SharingError) {
        link.publish(.userChanged(user, showsReads: showsReads))
        try await changedHere(user, showsReads: showsReads)
    }

    /// Sends a user's new name to the clients of this node that show the user.
    func changedHere(_ user: UserID, showsReads: Bool?) async throws(SharingError) {
        if let showsReads { onEachLoop { $0.chats.topics[user]?.showsReads = showsReads } }
        for contact in try await accounts.contacts(of: user) { contactChangedHere(user, of: contact.id) }
        let affected = try await chats.chats(of: user).map(\.id)
        onEachLoop { loop in
            for chat in affected { loop.chats.refresh(chat, gone: []) }
            loop.regions.people?.renamed(user)
        }
    }

    func entered(_ user: UserID) {
        let isChange = presence.enter(user) { link.publish(.presence(came: [user], gone: [])) }
        if isChange { changed(online: [user], isOnline: true) }
    }

    func left(_ user: UserID) {
        let isChange = presence.leave(user) { link.publish(.presence(came: [], gone: [user])) }
        if isChange { changed(online: [user], isOnline: false) }
    }

    /// Sends to the lists that show these users that they came online or went offline.
    func changed(online users: [UserID], isOnline: Bool) {
        guard !users.isEmpty else { return }
        onEachLoop { loop in
            for user in users { loop.presence.changed(user, isOnline: isOnline) }
        }
    }
}
