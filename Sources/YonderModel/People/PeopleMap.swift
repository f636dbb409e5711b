package import YonderGeodesy

/// The people that an event loop's viewers may see, and where they are.
///
/// *One sees who is in a chat with oneself, there once for each such chat, at their last `Location` in it with a
/// position, if one may read that message.* A message that was taken back, has expired, or was never kept doesn't count.
/// Nobody sees themselves. All of it is decided when something happens, not when somebody subscribes.
///
/// Only chats that a viewer is in are here. It says by ``takeRequests()`` what it needs from the stores, and is given the
/// answers and, in the order of the log, what is committed from then on. An answer may be older than what was committed
/// or newer; numbers say which. It has no clock and no lock, and belongs to whoever holds it.
///
/// Memory, reckoned: some 150 bytes for everyone in a chat that a viewer is in, 350 more for who has a position there.
package final class PeopleMap {
    /// That a viewer may see somebody, or no longer may, although nothing happened to that one.
    package struct Sight {
        /// Who may.
        package let viewer: UserID

        /// Whom.
        package let id: PointIndex.ID

        /// Where that one is.
        package let place: Coordinate.Rounded

        /// Whether they may.
        package let isVisible: Bool
    }

    let onEvent: (PlaceEvent) -> Void
    let onSight: (Sight) -> Void
    let roll = PeopleRoll()
    var index = PointIndex()

    var viewers: [UserID: PeopleViewer] = [:]
    var chats: [ChatID: PeopleChat] = [:]
    var loading: [ChatID: PeopleLoading] = [:]
    var expiring: Set<PointIndex.ID> = []
    var nextExpiry = Timestamp(milliseconds: .max)

    private var requests: [PeopleRequest] = []
    private var asked: [ChatID: Set<UserID>] = [:]
    private var ready: [UserID] = []
    private var listings = 0

    /// The server's time as far as it was told.
    package internal(set) var now = Timestamp(milliseconds: 0)

    /// Creates a map that nobody watches.
    ///
    /// - Parameters:
    ///   - onEvent: Told what happens to somebody, while what may be seen is as it was before, or for who is new, as it
    ///     will be.
    ///   - onSight: Told that a viewer may see somebody, or no longer.
    package init(onEvent: @escaping (PlaceEvent) -> Void, onSight: @escaping (Sight) -> Void) {
        self.onEvent = onEvent
        self.onSight = onSight
    }

    /// How many people have a place, each once for each of their chats.
    package var count: Int { index.count }

    /// How many chats are kept, or being read.
    package var chatCount: Int { chats.count + loading.count }

    /// How many users watch.
    package var viewerCount: Int { viewers.count }

    // MARK: Who watches

    /// Takes in that a user is about to watch; for each time, ``leave(_:)`` once.
    ///
    /// - Returns: Whether all that they may see is here; else ``takeReady()`` will say so.
    package func enter(_ user: UserID) -> Bool {
        if let viewer = viewers[user] {
            viewer.visits += 1
            return viewer.isReady
        }
        listings += 1
        viewers[user] = PeopleViewer(user, listing: listings)
        requests.append(.chats(of: user, listing: listings))
        return false
    }

    /// Whether all that a user may see is here.
    package func isReady(_ user: UserID) -> Bool {
        viewers[user]?.isReady ?? false
    }

    /// Takes in that a user watches once less; what nobody needs is forgotten.
    ///
    /// - Returns: The requests that need no answer any more: whoever hasn't asked the stores yet may ``withdraw(_:)`` them.
    @discardableResult
    package func leave(_ user: UserID) -> [PeopleRequest] {
        guard let viewer = viewers[user] else { return [] }
        viewer.visits -= 1
        guard viewer.visits == 0 else { return [] }
        viewers[user] = nil
        for id in viewer.readable.keys {
            guard let chat = chats[id] else { continue }
            chat.remove(viewer)
            dropIfUnwatched(chat)
        }
        for chat in viewer.missing { loading[chat]?.waiting.remove(user) }
        let unawaited = viewer.missing.filter { loading[$0]?.waiting.isEmpty ?? false }
        let listing: [PeopleRequest] =
            viewer.isListed ? [] : [.chats(of: user, listing: viewer.listing)]
        return listing + unawaited.map { .everyone(in: $0) }
    }

    /// Forgets a request that nobody needs and that the stores weren't asked: no answer to it comes.
    package func withdraw(_ request: PeopleRequest) {
        guard case .everyone(let chat) = request, loading[chat]?.waiting.isEmpty ?? false else { return }
        loading[chat] = nil
    }

    /// A viewer for whom a request is made, or `nil` if it is made for several.
    package func viewer(of request: PeopleRequest) -> UserID? {
        switch request {
        case .chats(let user, _): user
        case .everyone(let chat): loading[chat]?.waiting.first
        case .some: nil
        }
    }

    /// Whether a user who has entered may see somebody, as it is whenever that is asked.
    package func visibility(for user: UserID) -> LiveRegion.Visibility {
        guard let viewer = viewers[user] else { return { _ in false } }
        return { [roll] id in roll.isVisible(id, to: viewer) }
    }

    // MARK: Who is where

    /// Calls `body` with the index, as it is after all that was told.
    package func visit(_ body: (borrowing PointIndex) -> Void) {
        body(index)
    }

    /// What names somebody whom a watcher is told of.
    package func key(of id: PointIndex.ID) -> Person.Key { roll[id].key }

    /// Somebody who is on the map, or `nil` if they aren't.
    package func person(_ id: PointIndex.ID) -> Person? {
        let entry = roll[id]
        guard let name = entry.name, let sighting = entry.sighting else { return nil }
        return Person(key: entry.key, name: name, sighting: sighting)
    }

    /// Lets the numbers of who is gone be used again, but for those that somebody may still have to be told of.
    package func release(unless isHeld: (PointIndex.ID) -> Bool) {
        roll.release(unless: isHeld)
    }

    // MARK: What it needs

    /// What to ask the stores, each once.
    package func takeRequests() -> [PeopleRequest] {
        defer {
            requests = []
            asked = [:]
        }
        return requests + asked.map { .some($0.value, in: $0.key) }
    }

    /// Who became ready since this was last asked.
    package func takeReady() -> [UserID] {
        defer { ready = [] }
        return ready.filter { viewers[$0]?.isReady ?? false }
    }

    /// Takes in the chats of a user.
    package func take(_ ids: [ChatID], of user: UserID, listing: Int) {
        guard let viewer = viewers[user], viewer.listing == listing else { return }
        viewer.isListed = true
        for id in ids {
            guard let chat = chats[id] else {
                load(id, for: viewer)
                continue
            }
            // Who is missing here left since the chats were listed.
            if viewer.readable[id] == nil, let member = chat.members[user] {
                admit(viewer, to: chat, member.spans)
            }
        }
        noteIfReady(viewer)
    }

    /// Takes in a chat, everyone in it, and where they were last.
    package func take(_ answer: LastLocations, names: [UserID: String]) {
        guard let loaded = loading.removeValue(forKey: answer.chat.id) else { return }
        guard !loaded.isOverrun else {
            for viewer in loaded.waiting.compactMap({ viewers[$0] }) { load(answer.chat.id, for: viewer) }
            return
        }
        let chat = PeopleChat(answer.chat.id, through: answer.chat.last)
        chats[chat.id] = chat
        for participant in answer.chat.participants where participant.isPresent {
            let user = participant.user
            chat.members[user] = .init(spans: participant.spans, name: names[user] ?? "")
            if let viewer = viewers[user] { chat.insert(viewer, participant.spans) }
        }
        for message in answer.messages {
            if let sighting = Sighting(message) { place(message.sender, at: sighting, in: chat) }
        }
        for change in loaded.changes { receive(change) }
        // The answer may be older than the time is here.
        expire(at: now)
        for user in loaded.waiting { noteLoaded(chat.id, for: user) }
        dropIfUnwatched(chat)
    }

    /// Takes in where some people of a chat were last.
    package func take(_ answer: LastLocations, names: [UserID: String], of users: Set<UserID>) {
        guard let chat = chats[answer.chat.id] else { return }
        let found = Dictionary(answer.messages.map { ($0.sender, Sighting($0)) }) { first, _ in first }
        for user in users {
            guard let awaited = chat.members[user]?.awaited else { continue }
            let isStale = chat.members[user]?.mustBeAskedAgain ?? false
            chat.members[user]?.isAsked = false
            chat.members[user]?.mustBeAskedAgain = false
            let sighting = found[user] ?? nil
            guard !isStale, answer.chat.last >= awaited, !(sighting?.isExpired(at: now) ?? false) else {
                ask(for: user, in: chat, reaching: awaited)
                continue
            }
            chat.members[user]?.awaited = nil
            settle(user, at: sighting, names[user] ?? "", asOf: answer.chat.last, in: chat)
        }
    }

    /// Takes in that a request can't be answered.
    ///
    /// - Returns: Whose live regions can't be kept current, and are to end.
    package func fail(_ request: PeopleRequest) -> [UserID] {
        switch request {
        case .chats(let user, let listing):
            return viewers[user]?.listing == listing ? [user] : []
        case .everyone(let chat):
            let waiting = loading.removeValue(forKey: chat)?.waiting ?? []
            for user in waiting { viewers[user]?.missing.remove(chat) }
            return waiting.filter { viewers[$0] != nil }
        case .some(let users, let chat):
            for user in users { chats[chat]?.members[user]?.isAsked = false }
            return (chats[chat]?.viewers.keys).map(Array.init) ?? []
        }
    }

    // MARK: Chats

    func admit(_ viewer: PeopleViewer, to chat: PeopleChat, _ spans: [ParticipationSpan]) {
        chat.insert(viewer, spans)
        tell(viewer, ofAllIn: chat, isVisible: true)
    }

    private func load(_ chat: ChatID, for viewer: PeopleViewer) {
        viewer.missing.insert(chat)
        if loading[chat] == nil { requests.append(.everyone(in: chat)) }
        loading[chat, default: PeopleLoading()].waiting.insert(viewer.user)
    }

    func load(_ chat: ChatID, for people: [Participant]) {
        for viewer in people.compactMap({ viewers[$0.user] }) { load(chat, for: viewer) }
    }

    private func noteLoaded(_ chat: ChatID, for user: UserID) {
        // Who left and came back meanwhile waits for it again.
        let isWaiting = loading[chat]?.waiting.contains(user) ?? false
        guard !isWaiting, let viewer = viewers[user], viewer.missing.remove(chat) != nil else { return }
        noteIfReady(viewer)
    }

    private func noteIfReady(_ viewer: PeopleViewer) {
        if viewer.isReady { ready.append(viewer.user) }
    }

    /// Has the store asked where somebody is, unless it is being asked; then its answer may not be enough.
    func ask(for user: UserID, in chat: PeopleChat, reaching number: Int64) {
        guard let member = chat.members[user] else { return }
        chat.members[user]?.awaited = max(member.awaited ?? 0, number)
        guard !member.isAsked else { return }
        chat.members[user]?.isAsked = true
        asked[chat.id, default: []].insert(user)
    }

    func dropIfUnwatched(_ chat: PeopleChat) {
        guard chat.viewers.isEmpty, chats[chat.id] === chat else { return }
        chats[chat.id] = nil
        for id in chat.ids {
            if roll[id].place != nil { index.remove(id) }
            roll[id].sighting = nil
            expiring.remove(id)
            roll.retire(id)
        }
    }
}
