import YonderGeodesy
import YonderJSON
import YonderModel
import YonderRules
import YonderObjects
import YonderWire

/// The objects of an entity, as the live regions of one event loop need them.
///
/// Belongs to the event loop. The index, its objects and the inbox are protected by the index's lock, because
/// changes arrive on the store's thread. The lock is held to exchange an array, or while frames for a few
/// viewers are written.
///
/// `LiveRegions` makes one for the room of an index; `RegionRoom` takes news, visits and releases once a round, and
/// calls ``end()`` when the room is empty. Nothing fails; an inbox that isn't taken from merges its events. A removed
/// object's number must be acknowledged only after no viewer of the loop shows it (``release(unless:)``,
/// `ObjectFeedTests`; decisions 9 and 10). ``moveLimit`` may be changed.
final class ObjectFeed: RegionSource {
    private let index: ObjectIndex
    private let inbox: Int

    /// The numbers of removed objects whose removal is perhaps not yet sent to all viewers of this loop.
    private var departed: [PointIndex.ID] = []

    /// The encoded moves of this round, shared by all viewers.
    private var moves: [PointIndex.ID: [UInt8]] = [:]

    /// The most encoded moves that are kept.
    private static let moveLimit = 65_536

    /// Adds an inbox to an index.
    ///
    /// - Parameters:
    ///   - index: The index of the objects.
    ///   - wake: Called, on any thread, when the inbox has events again.
    init(_ index: ObjectIndex, wake: @escaping @Sendable () -> Void) {
        self.index = index
        inbox = index.addInbox(wake: wake)
    }

    func takeNews() -> [IndexEvent] {
        moves.removeAll(keepingCapacity: true)
        let news = index.takeEvents(from: inbox)
        note(news)
        return news
    }

    func visit(_ body: (borrowing PointIndex, [IndexEvent], Writing) -> Void) {
        index.visit(inbox) { points, news, roll in
            note(news)
            body(points, news) { number, passage, pages in
                write(number, passage, from: roll, into: &pages)
            }
        }
    }

    func release(unless isHeld: (PointIndex.ID) -> Bool) {
        guard !departed.isEmpty else { return }
        let free = departed.filter { !isHeld($0) }
        guard !free.isEmpty else { return }
        departed.removeAll { !isHeld($0) }
        index.acknowledge(free)
    }

    func end() {
        index.removeInbox(inbox, acknowledging: departed)
        departed = []
    }

    private func note(_ news: [IndexEvent]) {
        departed += news.removals
        guard !moves.isEmpty else { return }
        for event in news { moves[event.id] = nil }
    }

    private func write(
        _ number: PointIndex.ID,
        _ passage: Passage,
        from roll: ObjectRoll,
        into pages: inout RegionPageWriter
    ) {
        switch passage {
        case .left:
            guard let id = roll.id(of: number) else { return }
            pages.append(.left) { $0.regionKey(.object(id)) }
        case .entered, .changed:
            guard let record = roll.records[number] else { return }
            pages.append(passage == .entered ? .entered : .changed) { $0.record(record) }
        case .moved:
            guard let piece = move(of: number, from: roll) else { return }
            pages.append(piece, to: .moved)
        }
    }

    private func move(of number: PointIndex.ID, from roll: ObjectRoll) -> [UInt8]? {
        if let piece = moves[number] { return piece }
        guard let record = roll.records[number], let coordinate = record.coordinate else { return nil }
        let move = ObjectMove(
            id: record.id,
            coordinate: coordinate,
            altitude: roll.altitude(of: number),
            updated: record.updated
        )
        var writer = JSONWriter(capacity: 112)
        writer.objectMove(move)
        if moves.count < Self.moveLimit { moves[number] = writer.bytes }
        return writer.bytes
    }
}

extension [IndexEvent] {
    /// The numbers of the removed items.
    fileprivate var removals: [PointIndex.ID] {
        compactMap { event in
            if case .removed(let id, _) = event { id } else { nil }
        }
    }
}
