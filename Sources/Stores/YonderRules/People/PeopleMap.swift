package import YonderGeodesy
package import YonderModel

/// The people that the viewers of one event loop may see, and their positions.
///
/// *A viewer sees each person with whom the viewer shares a chat, once for each such chat, at the person's
/// last `Location` message there that has a position, provided the viewer may read that message.* A message
/// that was recalled, has expired, or was never stored doesn't count. No viewer sees their own pin.
/// Visibility is decided when a change is committed, not when a viewer subscribes.
///
/// The map holds only chats with at least one viewer. ``takeRequests()`` returns the reads that it needs from
/// the stores; pass it the answers, and every later commit in the order of the log. An answer may be older or
/// newer than the commits received; log numbers decide. The map has no clock and no lock, and belongs to its
/// owner's event loop.
///
/// `PeopleFeed` of the hub owns one per event loop. For a viewer it calls ``enter(_:)`` for each live region,
/// ``visibility(for:)`` behind the first, and ``leave(_:)`` as often; for the stores ``takeRequests()`` after any call that
/// may ask, then `take` or ``fail(_:)`` once for each request, and ``takeReady()``; for each commit ``receive(_:)``,
/// ``started(_:)`` or ``renamed(_:)``, and ``expire(at:)`` with the time. An answer or a change that no viewer needs is
/// ignored. No function throws: a read that fails is named by ``fail(_:)``, and the owner ends the live regions of the
/// viewers that it returns.
///
/// The rule in italics is decision 13; `PeopleMapTests` compares random days with the messages. The order of events around a
/// change of visibility must stay, because live regions ask for visibility while they handle one. How many changes a read
/// may miss (`PeopleLoading.limit`), and when numbers are freed, may be changed here.
///
/// Memory (estimated): 150 bytes per participant of a watched chat, plus 350 for each with a position.
package final class PeopleMap {
    /// A change of whether a viewer may see a person, although the person's own entry didn't change.
    package struct Sight {
        /// The viewer.
        package let viewer: UserID

        /// The person.
        package let id: PointIndex.ID

        /// The person's position.
        package let coordinate: Coordinate.Rounded

        /// Whether the viewer may see the person from now on.
        package let isVisible: Bool
    }

    let onEvent: (IndexEvent) -> Void
    let onSight: (Sight) -> Void
    let roll = PeopleRoll()

    /// The people with a position and a name, by their numbers.
    var index = PointIndex()

    var viewers: [UserID: PeopleViewer] = [:]

    /// The chats that the map holds; a chat is here or in ``loading``, never in both.
    var chats: [ChatID: PeopleChat] = [:]

    /// The chats that are being read.
    var loading: [ChatID: PeopleLoading] = [:]

    /// The people whose position expires, and when the first one does.
    var expiring: Set<PointIndex.ID> = []
    var nextExpiry = Timestamp(milliseconds: .max)

    // The reads that the owner hasn't taken yet: of lists and whole chats, and of some people by chat.
    private var requests: [PeopleRequest] = []
    private var asked: [ChatID: Set<UserID>] = [:]

    /// The viewers who became ready and weren't taken yet.
    private var ready: [UserID] = []

    /// How many lists of chats were requested: the number of the newest.
    private var listings = 0

    /// The latest time that was passed to the map.
    package internal(set) var now = Timestamp(milliseconds: 0)

    /// Creates a map without viewers.
    ///
    /// - Parameters:
    ///   - onEvent: Called with each event of a person: before visibility changes, or after it if the person
    ///     is new.
    ///   - onSight: Called when a viewer may see a person from now on, or no longer may.
    package init(onEvent: @escaping (IndexEvent) -> Void, onSight: @escaping (Sight) -> Void) {
        self.onEvent = onEvent
        self.onSight = onSight
    }

    /// The number of people with a position; a person counts once per chat.
    package var count: Int { index.count }

    /// The chats that the map holds.
    package var chatIDs: [ChatID] { Array(chats.keys) }

    /// The number of chats held or being read.
    package var chatCount: Int { chats.count + loading.count }

    /// The number of viewers.
    package var viewerCount: Int { viewers.count }

    // MARK: Viewers

    /// Adds a viewer.
    ///
    /// Each call needs one later call of ``leave(_:)``.
    ///
    /// - Returns: Whether everything the viewer may see is loaded. If not, ``takeReady()`` returns the viewer
    ///   once it is.
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

    /// Whether everything that a viewer may see is loaded.
    package func isReady(_ user: UserID) -> Bool {
        viewers[user]?.isReady ?? false
    }

    /// Undoes one ``enter(_:)`` of a user, and releases chats that no viewer needs any more.
    ///
    /// - Returns: The requests that need no answer any more. ``withdraw(_:)`` those that haven't been sent to
    ///   the stores.
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

    /// Discards a request that no viewer needs, and that was never sent to the stores.
    package func withdraw(_ request: PeopleRequest) {
        guard case .everyone(let chat) = request, loading[chat]?.waiting.isEmpty ?? false else { return }
        loading[chat] = nil
    }

    /// A viewer for whom a request is made: the user, or any one who waits for the chat.
    ///
    /// - Returns: `nil` if no viewer waits, or for a request about some people of a chat.
    package func viewer(of request: PeopleRequest) -> UserID? {
        switch request {
        case .chats(let user, _): user
        case .everyone(let chat): loading[chat]?.waiting.first
        case .some: nil
        }
    }

    /// Returns a filter that decides, at each call, whether a viewer who has entered may see a person.
    package func visibility(for user: UserID) -> LiveRegion.Visibility {
        guard let viewer = viewers[user] else { return { _ in false } }
        return { [roll] id in roll.isVisible(id, to: viewer) }
    }

    // MARK: Positions

    /// Calls `body` with the index, which includes every change received so far.
    package func visit(_ body: (borrowing PointIndex) -> Void) {
        body(index)
    }

    /// The chat and user that a map number stands for.
    package func key(of id: PointIndex.ID) -> Person.Key { roll[id].key }

    /// The person with a map number, or `nil` if that person isn't on the map.
    package func person(_ id: PointIndex.ID) -> Person? {
        let entry = roll[id]
        guard let name = entry.name, let sighting = entry.sighting else { return nil }
        return Person(key: entry.key, name: name, sighting: sighting)
    }

    /// Frees the numbers of removed people, except those still referenced by unsent updates.
    package func release(unless isHeld: (PointIndex.ID) -> Bool) {
        roll.release(unless: isHeld)
    }

    // MARK: Reads of the stores

    /// The reads that are needed since the last call, each once.
    package func takeRequests() -> [PeopleRequest] {
        defer {
            requests = []
            asked = [:]
        }
        return requests + asked.map { .some($0.value, in: $0.key) }
    }

    /// The viewers who became ready since the last call.
    package func takeReady() -> [UserID] {
        defer { ready = [] }
        return ready.filter { viewers[$0]?.isReady ?? false }
    }

    /// Receives the list of a user's chats: the answer to `chats(of:listing:)`.
    package func take(_ ids: [ChatID], of user: UserID, listing: Int) {
        guard let viewer = viewers[user], viewer.listing == listing else { return }
        viewer.isListed = true
        for id in ids {
            guard let chat = chats[id] else {
                load(id, for: viewer)
                continue
            }
            // A viewer who isn't a member here left after the chats were listed.
            if viewer.readable[id] == nil, let member = chat.members[user] {
                admit(viewer, to: chat, member.spans)
            }
        }
        noteIfReady(viewer)
    }

    /// Receives a chat with its participants and their last positions: the answer to `everyone(in:)`.
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
        // The answer may contain positions that have expired since.
        expire(at: now)
        for user in loaded.waiting { noteLoaded(chat.id, for: user) }
        dropIfUnwatched(chat)
    }

    /// Receives the last positions of some participants of a chat: the answer to `some(_:in:)`.
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

    /// Call this when a request failed.
    ///
    /// - Returns: The viewers whose live regions can't be kept current and must be ended.
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

    /// Shows a viewer the people of a chat that the viewer has joined.
    func admit(_ viewer: PeopleViewer, to chat: PeopleChat, _ spans: [ParticipationSpan]) {
        chat.insert(viewer, spans)
        tell(viewer, ofAllIn: chat, isVisible: true)
    }

    /// Has a chat read for a viewer, unless a read is under way already.
    private func load(_ chat: ChatID, for viewer: PeopleViewer) {
        viewer.missing.insert(chat)
        if loading[chat] == nil { requests.append(.everyone(in: chat)) }
        loading[chat, default: PeopleLoading()].waiting.insert(viewer.user)
    }

    /// Has a chat read for those of its people who are viewers.
    func load(_ chat: ChatID, for people: [Participant]) {
        for viewer in people.compactMap({ viewers[$0.user] }) { load(chat, for: viewer) }
    }

    private func noteLoaded(_ chat: ChatID, for user: UserID) {
        // A viewer who left and came back meanwhile is waiting for the chat again.
        let isWaiting = loading[chat]?.waiting.contains(user) ?? false
        guard !isWaiting, let viewer = viewers[user], viewer.missing.remove(chat) != nil else { return }
        noteIfReady(viewer)
    }

    private func noteIfReady(_ viewer: PeopleViewer) {
        if viewer.isReady { ready.append(viewer.user) }
    }

    /// Requests a participant's position from the store.
    ///
    /// If a read is under way, its answer must reach `number`, or else the store is asked again.
    func ask(for user: UserID, in chat: PeopleChat, reaching number: Int64) {
        guard let member = chat.members[user] else { return }
        chat.members[user]?.awaited = max(member.awaited ?? 0, number)
        guard !member.isAsked else { return }
        chat.members[user]?.isAsked = true
        asked[chat.id, default: []].insert(user)
    }

    /// Forgets a chat without viewers, and frees its people's numbers; sends no events, as no viewer could see these people.
    func dropIfUnwatched(_ chat: PeopleChat) {
        guard chat.viewers.isEmpty, chats[chat.id] === chat else { return }
        chats[chat.id] = nil
        for id in chat.ids {
            if roll[id].coordinate != nil { index.remove(id) }
            roll[id].sighting = nil
            expiring.remove(id)
            roll.retire(id)
        }
    }
}
