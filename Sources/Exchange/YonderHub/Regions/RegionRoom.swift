import YonderGeodesy
import YonderModel
import YonderRules
import YonderWire

/// The live regions of one event loop over one index.
///
/// At the end of a round it sends each viewer the changes.
///
/// A viewer with a full outbox is skipped, and later gets the state at that time. A viewer with many changes
/// gets a page or two per round.
///
/// `LiveRegions` makes one for an index that a session of the loop watches, adds and removes subscriptions, and drops it
/// when it is empty; `ObjectFeed` or `PeopleFeed` passes the events of the index, and ``distribute()`` runs once a round.
/// All of it belongs to the event loop, and nothing throws. What a viewer holds and must be sent is decided by `RegionBoard`
/// and `LiveRegion` in `YonderRules`; the frames are `RegionPageWriter`'s. How many pages a round has may be changed
/// (decision 9).
final class RegionRoom {
    /// The identity of the index behind this room, which distinguishes it from the other rooms of the loop.
    let key: ObjectIdentifier

    private let source: any RegionSource
    private var board = RegionBoard()
    private var members: [ObjectIdentifier: RegionSubscription] = [:]
    private var watching: [RegionBoard.Watcher: RegionSubscription] = [:]
    private var due: [RegionSubscription] = []
    private var isMarked = false

    /// Used for one viewer after another, so that its memory is reused.
    private var pages = RegionPageWriter(topic: 0)

    /// Called when ``distribute()`` should run at the end of the round.
    private let onDirty: (RegionRoom) -> Void

    init(key: ObjectIdentifier, source: any RegionSource, onDirty: @escaping (RegionRoom) -> Void) {
        self.key = key
        self.source = source
        self.onDirty = onDirty
    }

    /// Whether the room has no viewer.
    var isEmpty: Bool { members.isEmpty }

    /// All live regions of the room.
    var subscriptions: some Collection<RegionSubscription> { members.values }

    /// Adds a live region.
    ///
    /// Its first frame is sent at the end of the round.
    func add(_ subscription: RegionSubscription) {
        members[ObjectIdentifier(subscription)] = subscription
        subscription.room = self
        touch(subscription)
    }

    /// Removes a live region.
    func remove(_ subscription: RegionSubscription) {
        guard members.removeValue(forKey: ObjectIdentifier(subscription)) != nil else { return }
        subscription.room = nil
        guard let watcher = subscription.watcher else { return }
        board.end(watcher)
        watching[watcher] = nil
        subscription.watcher = nil
    }

    /// Call this when no viewer will be added again.
    func end() {
        source.end()
    }

    /// Call this when the source has new events.
    func stir() {
        guard !isMarked else { return }
        isMarked = true
        onDirty(self)
    }

    /// Schedules a live region to be examined at the end of the round: it may have changes, and its session
    /// may accept them.
    func touch(_ subscription: RegionSubscription) {
        guard !subscription.isDue else { return }
        subscription.isDue = true
        due.append(subscription)
        stir()
    }

    /// Applies an event at once: for a source in which an event changes what a viewer may see.
    func receive(_ event: IndexEvent) {
        board.receive(event)
        stir()
    }

    /// Call this when one viewer may now see an item that was hidden before, or no longer may.
    func visibilityChanged(
        of id: PointIndex.ID,
        at coordinate: Coordinate.Rounded,
        for subscription: RegionSubscription,
        isVisible: Bool
    ) {
        guard let watcher = subscription.watcher else { return }
        if isVisible {
            board.appeared(id, at: coordinate, to: watcher)
        } else {
            board.disappeared(id, at: coordinate, to: watcher)
        }
        stir()
    }

    /// Sends the changes of the round to every viewer that can receive.
    func distribute() {
        isMarked = false
        receive(source.takeNews())
        gatherDirty()
        let now = takeDue()
        var told = 0
        while told < now.count { told += tell(now[told...]) }
        source.release { board.isHeld($0) }
        // Events that arrived while frames were being sent.
        gatherDirty()
    }

    /// The scheduled live regions whose session can receive; the others are scheduled again when they can.
    private func takeDue() -> [RegionSubscription] {
        defer { due.removeAll(keepingCapacity: true) }
        return due.filter { subscription in
            subscription.isDue = false
            guard subscription.room === self else { return false }
            if subscription.session.isWritable { return true }
            subscription.session.fellBehind(subscription.id)
            return false
        }
    }

    private func receive(_ news: [IndexEvent]) {
        for event in news { board.receive(event) }
    }

    private func gatherDirty() {
        for watcher in board.takeDirty() {
            if let subscription = watching[watcher] { touch(subscription) }
        }
    }

    /// Sends frames to the first few live regions, as many as one turn allows while other loops wait for the
    /// index.
    ///
    /// - Returns: The number of live regions served.
    private func tell(_ subscriptions: ArraySlice<RegionSubscription>) -> Int {
        var written: [(session: Session, frames: [[UInt8]])] = []
        source.visit { index, news, write in
            receive(news)
            var bytes = 0
            for subscription in subscriptions.prefix(Self.turn.viewers) where bytes < Self.turn.bytes {
                let frames = frames(for: subscription, in: index, write)
                bytes = frames.reduce(bytes) { $0 + $1.count }
                written.append((subscription.session, frames))
            }
        }
        for (session, frames) in written {
            for frame in frames { session.reply(encoded: frame) }
        }
        return written.count
    }

    /// The most viewers served and bytes written before other loops get the index: some 100 µs of work.
    private static let turn = (viewers: 32, bytes: 131_072)

    private func frames(
        for subscription: RegionSubscription,
        in index: borrowing PointIndex,
        _ write: RegionSource.Writing
    ) -> [[UInt8]] {
        if subscription.watcher == nil { begin(subscription, in: index) }
        let frames = drain(subscription, in: index, write)
        guard let watcher = subscription.watcher, let move = subscription.takeMove() else { return frames }
        board.move(watcher, to: move.region, in: index)
        subscription.answer = RegionFrame.Answer(id: subscription.id, step: move.step)
        return frames + drain(subscription, in: index, write)
    }

    private func begin(_ subscription: RegionSubscription, in index: borrowing PointIndex) {
        let watcher = board.begin(
            subscription.region,
            limit: subscription.limit,
            in: index,
            isVisible: subscription.isVisible
        )
        subscription.watcher = watcher
        watching[watcher] = subscription
        subscription.answer = RegionFrame.Answer(
            id: subscription.id,
            step: 0,
            limit: subscription.limit,
            field: subscription.field
        )
    }

    /// The frames to send to a viewer now: at most a page; the rest follows in the next round.
    private func drain(
        _ subscription: RegionSubscription,
        in index: borrowing PointIndex,
        _ write: RegionSource.Writing
    ) -> [[UInt8]] {
        guard let watcher = subscription.watcher else { return [] }
        var answer = subscription.answer
        var pages = RegionPageWriter(topic: 0)
        swap(&pages, &self.pages)
        defer { swap(&pages, &self.pages) }
        pages.begin(topic: subscription.topic)
        let total = board.drain(
            watcher,
            in: index,
            while: { pages.byteCount < ServerFrame.pageLimit },
            { id, passage in write(id, passage, &pages) }
        )
        let isComplete = !board.isDirty(watcher)
        if !isComplete { touch(subscription) }
        guard answer != nil || total != nil || !pages.isEmpty else { return [] }
        answer?.isCurrent = isComplete
        if isComplete { subscription.answer = nil }
        return pages.finish(total: answer == nil ? total : board.total(of: watcher), answer: answer)
    }
}
