import YonderGeodesy
import YonderModel
import YonderWire

/// A live region's list, kept current, and the moves to send to the server.
///
/// One move is in flight at a time; of the moves requested meanwhile only the newest is kept, so that a slow
/// server gets moves as fast as it answers them. After a reconnect the old list stays until the new one is
/// complete.
///
/// `SharingClient+Regions.swift` makes one for each live region, `LiveFeed` has it and passes it frames, and
/// `RegionUpdates.move(to:)` calls ``move(to:)``. It can't fail: items that it doesn't have are passed over, and a frame of
/// another kind changes nothing. What a change contains must be the same as on the page (`RegionListFixtureTests`, decision
/// 9). Steps are numbers of one connection, counted by both ends.
///
/// What waits for an answer is private, and may change.
struct RegionList<Item: RegionListed>: LiveList {
    /// A move to send to the server.
    struct Move: Hashable {
        let step: Int64
        let region: Region
    }

    private(set) var contents: RegionContents<Item>
    private let subscribe: @Sendable (Region) -> StreamQuery
    private var step: Int64 = 0
    private var asked: Region

    /// The region to request once the move in flight is answered.
    private var wanted: Region?
    private var isAnswered = false

    /// The answer to a new subscription, as far as it has arrived.
    private var incoming: RegionContents<Item>?
    private var context: Item.Context?

    /// Creates a list without contents; `subscribe` returns the query for a region.
    init(_ region: Region, limit: Int, subscribe: @escaping @Sendable (Region) -> StreamQuery) {
        contents = RegionContents(region, limit: limit)
        incoming = contents
        asked = region
        self.subscribe = subscribe
    }

    var query: StreamQuery { subscribe(asked) }

    var snapshot: RegionContents<Item> { contents }

    /// Whether an answer has arrived on this connection.
    var isCurrent: Bool { incoming == nil }

    private var isSettled: Bool { isAnswered && wanted == nil }

    mutating func reopen() {
        step = 0
        asked = wanted ?? asked
        wanted = nil
        isAnswered = false
        contents.isCurrent = false
        incoming = RegionContents(asked, limit: contents.limit)
    }

    /// Moves the region.
    ///
    /// - Returns: The move to send now, or `nil` if one is in flight.
    mutating func move(to region: Region) -> Move? {
        wanted = region == asked ? nil : region
        let next = nextMove()
        contents.isCurrent = isSettled
        return next
    }

    /// The move to send after an answer, if one was waiting for it.
    mutating func nextMove() -> Move? {
        guard isAnswered, let region = wanted else { return nil }
        asked = region
        wanted = nil
        isAnswered = false
        contents.isCurrent = false
        step += 1
        return Move(step: step, region: region)
    }

    mutating func nextFrame(of id: Int64) -> ClientFrame? {
        nextMove().map { .move(id: id, step: $0.step, region: $0.region) }
    }

    mutating func apply(_ frame: ServerFrame) -> LiveStep<RegionChange<Item>> {
        guard case .region(let frame) = frame else { return .nothing }
        context = Item.context(in: frame) ?? context
        guard var incoming else { return .changes([take(frame)]) }
        _ = incoming.apply(change(frame, to: incoming, isWhole: false))
        guard frame.answer?.isCurrent == true else {
            self.incoming = incoming
            return .nothing
        }
        self.incoming = nil
        isAnswered = true
        incoming.isCurrent = isSettled
        incoming.limit = frame.answer?.limit ?? incoming.limit
        _ = contents.replace(incoming)
        return .list
    }

    private mutating func take(_ frame: RegionFrame) -> RegionChange<Item> {
        if let answer = frame.answer {
            contents.region = asked
            if answer.isCurrent { isAnswered = true }
        }
        var change = change(frame, to: contents, isWhole: isAnswered)
        change.isCurrent = isSettled
        _ = contents.apply(change)
        return change
    }

    /// The change of the listed items that a frame causes.
    private func change(
        _ frame: RegionFrame,
        to contents: RegionContents<Item>,
        isWhole: Bool
    ) -> RegionChange<Item> {
        var change = RegionChange<Item>(
            region: contents.region,
            total: frame.total ?? contents.total,
            isCurrent: false,
            isWhole: isWhole
        )
        var items = contents.items
        for id in frame.left.compactMap(Item.id) where items.removeValue(forKey: id) != nil {
            change.left.append(id)
        }
        for item in (frame.entered + frame.changed).compactMap({ Item($0, context) }) {
            if items.updateValue(item, forKey: item.id) == nil {
                change.entered.append(item)
            } else {
                change.changed.append(item)
            }
        }
        for move in frame.moved {
            guard let id = Item.id(move.key), let item = items[id]?.moved(move) else { continue }
            items[id] = item
            change.moved.append(item)
        }
        return change
    }
}
