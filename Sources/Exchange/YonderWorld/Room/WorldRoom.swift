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
/// `HubLoop` has one: sessions and Socket.IO clients enter, move and leave, events of other loops and nodes are passed
/// in, and ``distribute()`` runs at a round's end. A refusal (`worldClosed`, too many members, too fast) changes
/// nothing. A slow member gets all pins again once it can receive.
///
/// Members' names mustn't tell who they are, and a member's pin must go when it leaves, everywhere (decision 33,
/// `WorldRoomTests`, `NodesWorldTests`). Limits are `WorldSettings`.
///
/// The waits of the refusals may be changed, a second and a minute.
package final class WorldRoom {
    private let settings: WorldSettings
    private let topic: Int64
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
    private var everyone: [WorldID: [UInt8]] = [:]
    private var round: [WorldEvent] = []

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

    /// The number of refused moves.
    package private(set) var refusals = 0

    /// Creates the room of a loop; the rates of its members are limited by the monotonic `uptime`, and `logger` has a
    /// line at each member's start and end, at the rate of `LineRate`.
    package init(
        settings: WorldSettings,
        topic: Int64,
        uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        logger: Logger = Logger(label: "yonder") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.settings = settings
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
    /// - Returns: The new member.
    /// - Throws: ``SharingError`` with code `worldClosed`, `tooMany` or `tooManyRequests`.
    package func enter(
        _ listener: any WorldListener,
        isMember: Bool,
        subscription: Int64 = 0
    ) throws(SharingError) -> WorldMember {
        try checkAccess(isMember: isMember)
        try take(from: listener, at: uptime())
        let member = WorldMember(id: freshID(), listener: listener, subscription: subscription)
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
        happened(.left(member.id))
        happened(.joined(member.id))
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
        guard member.isSettled else { return arriving.removeAll { $0 === member } }
        guard member.index < members.count, members[member.index] === member else { return }
        members.swapAt(member.index, members.count - 1)
        members[member.index].index = member.index
        members.removeLast()
        happened(.left(member.id))
        log("Disconnected from the world", member)
    }

    /// Sends a new snapshot to a member that missed events and can receive again.
    package func refresh(_ member: WorldMember) {
        guard member.isStale else { return }
        show(member)
        member.listener.flush()
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
        happened(.left(id))
        member.id = freshID()
        happened(.joined(member.id))
        if !member.position.isEmpty { happened(.moved(member.id, at: member.position)) }
        member.isStale = true
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
        guard !round.isEmpty else { return }
        var batch = WorldBatch(events: round, topic: topic)
        round.removeAll(keepingCapacity: true)
        for member in members {
            pass(&batch, to: member)
            member.firstEvent = 0
            if !member.ownEvents.isEmpty { member.ownEvents.removeAll(keepingCapacity: true) }
        }
    }

    @inline(__always)
    private func pass(_ batch: inout WorldBatch, to member: WorldMember) {
        guard member.listener.isWritable, !member.isStale else {
            member.isStale = true
            return
        }
        batch.deliver(to: member)
        member.listener.flush()
    }

    private func checkAccess(isMember: Bool) throws(SharingError) {
        switch settings.access {
        case .off: throw SharingError(.worldClosed, "The operator has closed the world.")
        case .members where !isMember:
            throw SharingError(.worldClosed, "The world is open to accounts only: sign in first.")
        case .members, .open: break
        }
        guard everyone.count + arriving.count < settings.memberLimit else {
            throw SharingError(
                .tooMany,
                "The world has \(settings.memberLimit) members, the most that are allowed; try again after retryAfter.",
                retryAfter: .seconds(60)
            )
        }
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
        switch event {
        case .joined(let id): everyone[id] = []
        case .moved(let id, let position): everyone[id] = position
        case .left(let id): everyone[id] = nil
        }
        if round.isEmpty { onDirty() }
        round.append(event)
    }

    private func show(_ member: WorldMember) {
        member.isStale = false
        member.firstEvent = round.count
        member.ownEvents.removeAll()
        switch member.listener.worldForm {
        case .stream:
            let frames = WorldEncoding.streamSnapshot(
                id: member.subscription,
                topic: topic,
                you: member.id,
                of: everyone
            )
            member.listener.deliver(.frames(frames))
        case .socketIO:
            var frames = ByteBufferAllocator().buffer(capacity: everyone.count * 64)
            for event in snapshot(for: member) { WorldEncoding.writeSocketIO(event, into: &frames) }
            if frames.readableBytes > 0 { member.listener.deliver(.frames(frames)) }
        case .events:
            member.listener.deliver(.events(snapshot(for: member)))
        }
        onDirty()
    }

    private func snapshot(for member: WorldMember) -> [WorldEvent] {
        var events: [WorldEvent] = []
        events.reserveCapacity(everyone.count * 2)
        for (id, position) in everyone where id != member.id {
            events.append(.joined(id))
            if !position.isEmpty { events.append(.moved(id, at: position)) }
        }
        return events
    }
}
