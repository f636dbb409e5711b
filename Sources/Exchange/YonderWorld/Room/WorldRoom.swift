package import Logging
import NIOCore
package import YonderGeodesy
package import YonderModel
import YonderRules
package import YonderWire

/// The world as one event loop sees it: the loop's members, and the last position of every member on any
/// loop of any node.
///
/// Each loop keeps a replica, and sends the events of its members to the other loops; at the end of a round it sends the
/// round's events of its members to the other nodes. A round's events are encoded once per form, and all members on the
/// loop share those bytes; a member that caused some of the events gets the slices between.
///
/// A refusal (`worldClosed`, too many members, too fast) changes nothing. Nothing is queued for a member that can't receive: on
/// the stream it gets all pins again once it can; over Socket.IO it fetches what it lacks, as a newcomer and a client that polls
/// do, in pieces of ``pieceLimit`` bytes (``WorldPins``).
///
/// A member's name is random, and says nothing of the person. When a member leaves, its pin is removed on all nodes (decision 33).
package final class WorldRoom {
    private let settings: WorldSettings
    let topic: Int64
    private let uptime: @Sendable () -> ContinuousClock.Instant
    private let logger: Logger
    private let lines: LineRate
    private var generator = SystemRandomNumberGenerator()
    private var members: [WorldMember] = []

    /// The members whose pins expire.
    private var timed: [WorldMember] = []

    /// The members that entered in this turn of the event loop, in order.
    ///
    /// A member that leaves before the turn ends isn't announced, and is sent nothing.
    private var arriving: [WorldMember] = []
    private var isSettlingAsked = false
    private(set) var everyone = WorldPins()

    /// The last change before the round.
    private(set) var roundStart = 0

    /// Whether a member that is behind, and could receive, has more to fetch in the next round.
    var hasMore = false
    private let shares: WorldShares
    private(set) var round: [WorldEvent] = []

    /// The round's events of this loop's members, for other nodes; none are gathered while ``onRound`` is `nil`.
    private var outgoing: [WorldEvent] = []

    /// Called with each event of this loop's members, to send it to the other loops.
    package var onLocal: (WorldEvent) -> Void = { _ in }

    /// Called at the end of a round with the events of this loop's members; `nil` on a server without other nodes.
    package var onRound: (([WorldEvent]) -> Void)?

    /// Called with the name that a member had to give up, after the `left` event of this name was sent to the other loops.
    package var onRename: (WorldID) -> Void = { _ in }

    /// Called when ``distribute()`` should run at the end of the round.
    package var onDirty: () -> Void = {}

    /// Called when ``settle()`` should run at the end of this turn of the event loop.
    package var onArrival: () -> Void = {}

    /// The most bytes that a member which is behind is sent at once, estimated.
    static let pieceLimit = 65_536

    /// The number of refused moves.
    package private(set) var refusals = 0

    /// Creates the room of a loop; the rates of its members are limited by the monotonic `uptime`, their numbers by the `shares` of
    /// all loops, and `logger` has a line at
    /// each member's start and end, at the rate of `LineRate`.
    package init(
        settings: WorldSettings,
        topic: Int64,
        shares: WorldShares = WorldShares(),
        uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        logger: Logger = Logger(label: "yonder") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.settings = settings
        self.shares = shares
        self.logger = logger
        lines = LineRate(uptime: uptime)
        self.uptime = uptime
        self.topic = topic
    }

    /// The number of members on all loops of all nodes.
    package var population: Int { everyone.count }

    /// The number of members connected to this loop.
    package var localPopulation: Int { members.count + arriving.count }

    /// Adds a member.
    ///
    /// The next ``settle()`` announces it and sends it a snapshot. Entering costs the connection as much as a packet.
    ///
    /// - Parameters:
    ///   - listener: The connection that receives the events.
    ///   - isMember: Whether the connection is signed in to an account.
    ///   - subscription: The subscription that the snapshot answers on the stream.
    ///   - holder: The account or network for which the member counts; `nil` counts for none.
    /// - Returns: The new member.
    /// - Throws: ``SharingError`` with code `worldClosed`, `tooMany` or `tooManyRequests`.
    package func enter(
        _ listener: any WorldListener,
        isMember: Bool,
        subscription: Int64 = 0,
        holder: String? = nil
    ) throws(SharingError) -> WorldMember {
        try checkAccess(isMember: isMember)
        try take(from: listener, at: uptime())
        try takePlace(for: holder)
        let member = WorldMember(
            id: freshID(),
            listener: listener,
            subscription: subscription,
            holder: holder
        )
        arriving.append(member)
        if !isSettlingAsked {
            isSettlingAsked = true
            onArrival()
        }
        return member
    }

    /// Announces the members that entered since the last call, and sends each a snapshot.
    package func settle() {
        isSettlingAsked = false
        let newcomers = arriving
        arriving.removeAll(keepingCapacity: true)
        for member in newcomers { settle(member) }
    }

    private func settle(_ member: WorldMember) {
        guard !member.isSettled else { return }
        member.isSettled = true
        member.index = members.count
        members.append(member)
        happened(.joined(member.id))
        log("Connected to the world", member)
        show(member)
    }

    private func log(_ message: Logger.Message, _ member: WorldMember, _ more: Logger.Metadata = [:]) {
        guard settings.isLogged || logger.logLevel <= .debug, let omitted = lines.take() else { return }
        var fields: Logger.Metadata = ["member": "\(member.id)", "members": "\(population)"]
        if omitted > 0 { fields["omitted"] = "\(omitted)" }
        logger.log(level: settings.isLogged ? .info : .debug, message, metadata: fields.merging(more) { $1 })
    }

    /// Moves a member's pin; after its `until` has passed, only a later `until` shows the pin again.
    ///
    /// - Throws: ``SharingError`` with code `tooManyRequests`, or `shareEnded` if its time has passed.
    package func move(
        _ member: WorldMember,
        to position: WorldPosition,
        until: Timestamp?,
        time: Timestamp
    ) throws(SharingError) {
        guard until ?? member.until ?? Timestamp(milliseconds: .max) > time else {
            throw SharingError(.shareEnded, "The pin's time is over: send until, a time in the future.")
        }
        try move(member, to: position)
        guard let until, until != member.until else { return }
        if !timed.contains(where: { $0 === member }) { timed.append(member) }
        member.until = until
    }

    /// Removes the expired pins; their members still watch the world.
    package func end(at now: Timestamp) {
        guard !timed.isEmpty else { return }
        for member in timed where member.until.map({ $0 <= now }) ?? false { hide(member) }
        timed.removeAll { $0.until.map { $0 <= now } ?? true }
    }

    private func hide(_ member: WorldMember) {
        guard !member.position.isEmpty else { return }
        member.position = []
        member.ownEvents += [round.count, round.count + 1]
        depart(member)
        happened(.joined(member.id))
    }

    /// Announces that a member's pin is gone, to all others.
    private func depart(_ member: WorldMember) {
        happened(.left(member.id))
        if member.listener.worldForm != .stream { member.ownDepartures.append(everyone.last) }
    }

    /// Moves a member's pin; a position equal to the last one isn't relayed.
    ///
    /// - Throws: ``SharingError`` with code `tooManyRequests`.
    package func move(
        _ member: WorldMember,
        to position: WorldPosition,
        at now: ContinuousClock.Instant? = nil
    ) throws(SharingError) {
        try take(from: member.listener, at: now ?? uptime())
        settle(member)
        guard position.bytes != member.position else { return }
        member.position = position.bytes
        member.ownEvents.append(round.count)
        happened(.moved(member.id, at: position.bytes))
    }

    /// Counts a packet of a connection that is refused as one that is accepted.
    ///
    /// - Throws: ``SharingError`` with code `tooManyRequests`.
    package func countRefusal(of listener: any WorldListener) throws(SharingError) {
        try take(from: listener, at: uptime())
    }

    private func take(from listener: any WorldListener, at now: ContinuousClock.Instant) throws(SharingError)
    {
        let rate = settings.packetsPerSecond
        guard !listener.worldAllowance.take(of: rate, at: now) else { return }
        refusals += 1
        throw SharingError(
            .tooManyRequests,
            "More than \(rate) packets a second to the world; wait for retryAfter.",
            retryAfter: .seconds(1)
        )
    }

    /// Removes a member, and announces its departure.
    package func leave(_ member: WorldMember) {
        timed.removeAll { $0 === member }
        guard member.isSettled else {
            if arriving.contains(where: { $0 === member }) { giveBack(member) }
            return arriving.removeAll { $0 === member }
        }
        guard member.index < members.count, members[member.index] === member else { return }
        giveBack(member)
        members.swapAt(member.index, members.count - 1)
        members[member.index].index = member.index
        members.removeLast()
        happened(.left(member.id))
        log("Disconnected from the world", member)
    }

    private func giveBack(_ member: WorldMember) {
        if let holder = member.holder { shares.giveBack(holder) }
    }

    /// Applies an event of another loop.
    package func receive(_ event: WorldEvent) {
        apply(event)
    }

    /// Applies events of other nodes, and gives new names to this loop's members that have one of `lost`.
    package func receive(_ events: [WorldEvent], lost: [WorldID]) {
        for event in events {
            // A member of this node may have the same name; one of the two gets another name in a moment.
            if case .joined(let id) = event, everyone[id] != nil { continue }
            apply(event)
        }
        for id in lost { rename(id) }
    }

    /// Gives a new name to the member whose name belongs to another node's member.
    private func rename(_ id: WorldID) {
        guard let member = members.first(where: { $0.id == id }) else { return }
        catchUpLater(member)
        depart(member)
        member.id = freshID()
        happened(.joined(member.id))
        if !member.position.isEmpty { happened(.moved(member.id, at: member.position)) }
        if member.listener.isWritable { refresh(member) }
        log("Has another id in the world", member, ["before": "\(id)"])
        onRename(id)
    }

    /// Sends the round's events to every member on this loop, and flushes each connection once.
    package func distribute() {
        if let onRound, !outgoing.isEmpty {
            onRound(outgoing)
            outgoing.removeAll(keepingCapacity: true)
        }
        guard !round.isEmpty || hasMore else { return }
        hasMore = false
        let end = everyone.last
        var batch = WorldBatch(events: round, topic: topic)
        let isRound = !round.isEmpty
        round.removeAll(keepingCapacity: true)
        var oldest: Int?
        for member in members {
            if member.isBehind || !member.listener.isWritable {
                passOver(member)
            } else if isRound {
                pass(&batch, to: member)
            }
            if member.isBehind, member.listener.worldForm != .stream {
                oldest = min(oldest ?? .max, member.cursor.seen)
            }
        }
        roundStart = end
        everyone.forget(before: oldest)
    }

    @inline(__always)
    private func pass(_ batch: inout WorldBatch, to member: WorldMember) {
        batch.deliver(to: member)
        member.listener.flush()
        member.firstEvent = 0
        guard !member.ownEvents.isEmpty else { return }
        member.ownEvents.removeAll(keepingCapacity: true)
        member.ownDepartures.removeAll()
    }

    private func checkAccess(isMember: Bool) throws(SharingError) {
        switch settings.access {
        case .off: throw SharingError(.worldClosed, "The operator has closed the world.")
        case .members where !isMember:
            throw SharingError(.worldClosed, "The world is open to accounts only: sign in first.")
        case .members, .open: break
        }
        guard free > 0 else {
            throw SharingError(
                .tooMany,
                "The world has \(settings.memberLimit) members, the most that are allowed; try again after retryAfter.",
                retryAfter: .seconds(60)
            )
        }
    }

    /// How many more members the world may have.
    private var free: Int { settings.memberLimit - everyone.count - arriving.count }

    private func takePlace(for holder: String?) throws(SharingError) {
        guard let holder, !shares.take(holder, free: free) else { return }
        throw SharingError(
            .tooMany,
            "The world has as many members of this account or network as places are left; try again after retryAfter.",
            retryAfter: .seconds(60)
        )
    }

    private func freshID() -> WorldID {
        var id = WorldID.random(using: &generator)
        while everyone[id] != nil { id = WorldID.random(using: &generator) }
        return id
    }

    private func happened(_ event: WorldEvent) {
        apply(event)
        onLocal(event)
        if onRound != nil { outgoing.append(event) }
    }

    private func apply(_ event: WorldEvent) {
        everyone.apply(event)
        if round.isEmpty { onDirty() }
        round.append(event)
    }
}
