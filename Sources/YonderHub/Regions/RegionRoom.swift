import YonderGeodesy
import YonderModel
import YonderWire

/// The live regions of one event loop over one index: who is told what at the round's end.
///
/// Who can't take more isn't told until they can, and then what is so by then. Who has to be told much is told a page or
/// two a round.
final class RegionRoom {
    /// What tells this room from the others of its loop: the index behind it.
    let key: ObjectIdentifier

    private let source: any RegionSource
    private var board = RegionBoard()
    private var members: [ObjectIdentifier: RegionSubscription] = [:]
    private var watching: [RegionBoard.Watcher: RegionSubscription] = [:]
    private var due: [RegionSubscription] = []
    private var isMarked = false

    /// Written into for one after the other, so that its memory is used again.
    private var pages = RegionPageWriter(topic: 0)

    /// Asks for ``distribute()`` at the round's end.
    private let onDirty: (RegionRoom) -> Void

    init(key: ObjectIdentifier, source: any RegionSource, onDirty: @escaping (RegionRoom) -> Void) {
        self.key = key
        self.source = source
        self.onDirty = onDirty
    }

    /// Whether nobody watches.
    var isEmpty: Bool { members.isEmpty }

    /// Everyone who watches.
    var subscriptions: some Collection<RegionSubscription> { members.values }

    /// Begins to tell somebody; the answer comes with the round's end.
    func add(_ subscription: RegionSubscription) {
        members[ObjectIdentifier(subscription)] = subscription
        subscription.room = self
        touch(subscription)
    }

    /// Takes somebody out.
    func remove(_ subscription: RegionSubscription) {
        guard members.removeValue(forKey: ObjectIdentifier(subscription)) != nil else { return }
        subscription.room = nil
        guard let watcher = subscription.watcher else { return }
        board.end(watcher)
        watching[watcher] = nil
        subscription.watcher = nil
    }

    /// Takes in that nobody will watch again.
    func end() {
        source.end()
    }

    /// Takes in that the source has news.
    func stir() {
        guard !isMarked else { return }
        isMarked = true
        onDirty(self)
    }

    /// Has somebody looked at who may have to be told something, and may be able to take it.
    func touch(_ subscription: RegionSubscription) {
        guard !subscription.isDue else { return }
        subscription.isDue = true
        due.append(subscription)
        stir()
    }

    /// Takes in what happened, at once: for a source where that decides what may be seen.
    func receive(_ event: PlaceEvent) {
        board.receive(event)
        stir()
    }

    /// Takes in that one watcher may see a thing that they couldn't, or no longer may.
    func visibilityChanged(
        of id: PointIndex.ID,
        at place: Coordinate.Rounded,
        for subscription: RegionSubscription,
        isVisible: Bool
    ) {
        guard let watcher = subscription.watcher else { return }
        if isVisible {
            board.appeared(id, at: place, to: watcher)
        } else {
            board.disappeared(id, at: place, to: watcher)
        }
        stir()
    }

    /// Tells everyone what the round brought.
    func distribute() {
        isMarked = false
        receive(source.takeNews())
        gatherDirty()
        let now = takeDue()
        var told = 0
        while told < now.count { told += tell(now[told...]) }
        source.release { board.isHeld($0) }
        // What came while others were told.
        gatherDirty()
    }

    /// Those who are to be told something and can take it; the others come back when they can.
    private func takeDue() -> [RegionSubscription] {
        defer { due.removeAll(keepingCapacity: true) }
        return due.filter { subscription in
            subscription.isDue = false
            guard subscription.room === self else { return false }
            if subscription.session.isWritable { return true }
            subscription.session.fellBehind(subscription)
            return false
        }
    }

    private func receive(_ news: [PlaceEvent]) {
        for event in news { board.receive(event) }
    }

    private func gatherDirty() {
        for watcher in board.takeDirty() {
            if let subscription = watching[watcher] { touch(subscription) }
        }
    }

    /// Tells the first of some, as many as may be told while others wait for the index.
    ///
    /// - Returns: How many that were.
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

    /// How many viewers are told, and how many bytes written, before others get the index: some 100 µs of work.
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

    /// What somebody is to be told now: as much as fills a page, the rest in the next round.
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
