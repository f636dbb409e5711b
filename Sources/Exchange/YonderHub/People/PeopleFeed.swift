import YonderBus
import NIOCore
import YonderGeodesy
import YonderModel
import YonderRules
import YonderWire
import YonderJSON

/// The people that the viewers of one event loop may see; kept while a viewer watches or a read of the store
/// is under way.
///
/// Belongs to the event loop. ``PeopleMap`` decides; the feed reads from the stores what the map requests,
/// passes it each commit, and passes the map's events on to a ``RegionRoom``, at once, since each event may
/// change what a viewer may see.
///
/// `LiveRegions` makes it for the first viewer of its loop, and drops it when ``isIdle``. `HubLoop` passes it commits,
/// started chats, new names and the time. A read that fails is an error for the viewers that wait for it, who are
/// refused; a viewer that is there already keeps what it has. `RegionRoom` asks it for events and items.
///
/// What a viewer may see is decided in `PeopleMap` and `PeopleChat` alone (decision 13, `PeopleMapTests`). That one read
/// of a subject is under way at a time must stay, or a slow store gets a read for each viewer. ``moveLimit`` may be
/// changed.
final class PeopleFeed {
    private unowned let regions: LiveRegions
    private unowned let exchange: Exchange
    private let reads: StoreReads
    private lazy var map = PeopleMap(
        onEvent: { [unowned self] event in room?.receive(event) },
        onSight: { [unowned self] sight in tell(sight) }
    )
    private var subscriptions: [UserID: [RegionSubscription]] = [:]

    /// The reads of the stores by subject: at most one read of each is queued or under way.
    private var asked: [PeopleSubject: Asked] = [:]

    /// A read of the stores, and the request that must follow it.
    private struct Asked {
        let request: PeopleRequest
        let read: PendingRead
        var next: PeopleRequest?
    }

    /// The room that sends changes to the viewers, once a viewer has been admitted.
    private weak var room: RegionRoom?

    /// The encoded moves of this round, shared by all viewers.
    private var moves: [PointIndex.ID: [UInt8]] = [:]

    /// The most encoded moves that are kept.
    private static let moveLimit = 65_536

    init(regions: LiveRegions, exchange: Exchange, reads: StoreReads) {
        self.regions = regions
        self.exchange = exchange
        self.reads = reads
    }

    /// The chats whose people a viewer may see.
    var chats: [ChatID] { map.chatIDs }

    /// Whether there are no viewers and no reads.
    ///
    /// A feed with reads under way is kept, so that viewers who come and go meanwhile cause no further reads.
    var isIdle: Bool { map.viewerCount == 0 && asked.isEmpty }

    // MARK: Viewers

    /// Adds a viewer, and reads the people that the viewer may see unless they are loaded.
    ///
    /// - Returns: The filter that decides whether the viewer may see a person.
    func enter(_ user: UserID) -> LiveRegion.Visibility {
        _ = map.enter(user)
        return map.visibility(for: user)
    }

    /// Adds a live region of a viewer who entered.
    ///
    /// Its first frame follows once everything the viewer may see is loaded.
    func add(_ subscription: RegionSubscription, of user: UserID) {
        subscriptions[user, default: []].append(subscription)
        if map.isReady(user) { admit(subscription) }
        perform()
    }

    /// Removes a live region that the room no longer serves.
    func remove(_ subscription: RegionSubscription, of user: UserID) {
        subscriptions[user]?.removeAll { $0 === subscription }
        if subscriptions[user]?.isEmpty ?? false { subscriptions[user] = nil }
        for request in map.leave(user) { withdraw(request) }
    }

    private func admit(_ subscription: RegionSubscription) {
        guard subscription.room == nil else { return }
        let room = regions.room(over: self)
        self.room = room
        room.add(subscription)
    }

    // MARK: Events

    /// Call this when a message was committed.
    func receive(_ published: Published) {
        let message = published.message
        guard published.message.isKept, !published.moved.isEmpty || map.concerns(message.chat),
            let change = PeopleChange(
                message,
                moved: published.moved,
                recalled: published.recalled,
                hidesPositions: published.hidesPositions
            )
        else { return }
        map.receive(change)
        perform()
    }

    /// Call this when a chat was started.
    func started(_ chat: Chat) {
        map.started(chat)
        perform()
    }

    /// Reads the viewers' lists of chats again, because the frame of a started chat may have been missed.
    func refresh() {
        let chats = exchange.chats
        let known = Set(map.chatIDs)
        for user in subscriptions.keys {
            _ = reads.read(in: reads.ownLane) { () async throws(SharingError) in
                var missed: [Chat] = []
                for id in try await chats.lastNumbers(of: user).keys where !known.contains(id) {
                    missed.append(try await chats.chat(id))
                }
                return missed
            } then: { [weak self] result in
                for chat in (try? result.get()) ?? [] { self?.started(chat) }
            }
        }
    }

    /// Call this when a user's name has changed.
    func renamed(_ user: UserID) {
        map.renamed(user)
        perform()
    }

    /// Advances the map's clock, which removes expired positions.
    func expire(at now: Timestamp) {
        map.expire(at: now)
        perform()
    }

    private func tell(_ sight: PeopleMap.Sight) {
        for subscription in subscriptions[sight.viewer] ?? [] {
            room?.visibilityChanged(
                of: sight.id,
                at: sight.coordinate,
                for: subscription,
                isVisible: sight.isVisible
            )
        }
    }

    // MARK: Reads of the stores

    private func perform() {
        for request in map.takeRequests() { ask(request) }
        for user in map.takeReady() {
            for subscription in subscriptions[user] ?? [] { admit(subscription) }
        }
    }

    private func ask(_ request: PeopleRequest) {
        let subject = PeopleSubject(of: request)
        if let known = asked[subject] {
            guard known.read.isQueued else {
                asked[subject]?.next = request.joined(with: known.next)
                return
            }
            known.read.cancel()
            read(request.joined(with: known.request), subject)
        } else {
            read(request, subject)
        }
    }

    private func read(_ request: PeopleRequest, _ subject: PeopleSubject) {
        let (chats, accounts) = (exchange.chats, exchange.accounts)
        let lane = map.viewer(of: request).map { reads.lanes.lane(of: $0) } ?? reads.ownLane
        // Positions that this map considers expired must not be returned again.
        let now = max(exchange.now(), map.now)
        let read = reads.read(in: lane) { () async throws(SharingError) in
            try await request.answer(from: chats, accounts, now: now)
        } then: { [self] result in
            let next = asked.removeValue(forKey: subject)?.next
            switch result {
            case .success(let answer): take(answer)
            case .failure(let error): fail(request, error)
            }
            if let next { ask(next) }
            perform()
            regions.removePeopleIfIdle()
        }
        asked[subject] = Asked(request: request, read: read)
    }

    /// Cancels a read that no viewer needs any more, unless the store has already begun it.
    private func withdraw(_ request: PeopleRequest) {
        let subject = PeopleSubject(of: request)
        guard let known = asked[subject] else { return }
        if known.next == request { asked[subject]?.next = nil }
        guard known.request == request, known.read.isQueued else { return }
        known.read.cancel()
        asked[subject] = nil
        map.withdraw(request)
    }

    private func take(_ answer: PeopleAnswer) {
        switch answer {
        case .chats(let ids, let user, let listing): map.take(ids, of: user, listing: listing)
        case .everyone(let locations, let names): map.take(locations, names: names)
        case .some(let locations, let names, let users): map.take(locations, names: names, of: users)
        }
    }

    private func fail(_ request: PeopleRequest, _ error: SharingError) {
        for user in map.fail(request) {
            for subscription in subscriptions[user] ?? [] { subscription.session.refuse(subscription, error) }
        }
    }
}

extension PeopleFeed: RegionSource {
    /// Returns no events: the map passes each one to the room at once.
    func takeNews() -> [IndexEvent] {
        moves.removeAll(keepingCapacity: true)
        return []
    }

    func visit(_ body: (borrowing PointIndex, [IndexEvent], Writing) -> Void) {
        map.visit { index in
            body(index, []) { id, passage, pages in write(id, passage, into: &pages) }
        }
    }

    func release(unless isHeld: (PointIndex.ID) -> Bool) {
        map.release(unless: isHeld)
    }

    func end() {}

    private func write(_ id: PointIndex.ID, _ passage: Passage, into pages: inout RegionPageWriter) {
        switch passage {
        case .left:
            let key = map.key(of: id)
            pages.append(.left) { $0.regionKey(.person(key.chat, key.user)) }
        case .entered, .changed:
            guard let person = map.person(id) else { return }
            let list = passage == .entered ? RegionPageWriter.List.entered : .changed
            pages.append(list) { $0.regionPerson(RegionPerson(person, name: person.name)) }
        case .moved:
            if let piece = move(of: id) { pages.append(piece, to: .moved) }
        }
    }

    private func move(of id: PointIndex.ID) -> [UInt8]? {
        if let piece = moves[id] { return piece }
        guard let person = map.person(id) else { return nil }
        var writer = JSONWriter(capacity: 160)
        writer.regionPerson(RegionPerson(person, name: nil))
        if moves.count < Self.moveLimit { moves[id] = writer.bytes }
        return writer.bytes
    }
}

extension RegionPerson {
    fileprivate init(_ person: Person, name: String?) {
        self.init(
            chat: person.key.chat,
            user: person.key.user,
            name: name,
            number: person.sighting.number,
            time: person.sighting.time,
            position: person.sighting.position
        )
    }
}

/// The subject of a ``PeopleRequest``.
private enum PeopleSubject: Hashable {
    case chats(UserID)
    case everyone(ChatID)
    case some(ChatID)

    init(of request: PeopleRequest) {
        switch request {
        case .chats(let user, _): self = .chats(user)
        case .everyone(let chat): self = .everyone(chat)
        case .some(_, let chat): self = .some(chat)
        }
    }
}

extension PeopleRequest {
    /// This request combined with an earlier one on the same subject, so that one read answers both.
    fileprivate func joined(with earlier: PeopleRequest?) -> PeopleRequest {
        guard case .some(let users, let chat) = self, let earlier, case .some(let others, _) = earlier else {
            return self
        }
        return .some(users.union(others), in: chat)
    }
}
