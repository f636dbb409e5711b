import Synchronization
package import YonderBus
import YonderModel
package import YonderRules

// Changes of this node and of other nodes, over a store to which all of them write. `NodeLink` passes the frames of other
// nodes, by way of the exchange, and reports lost ones; the catalog's own writes end here, too. `LaneTable` decides, inside
// the mutex of the lanes, which changes are applied and what must be read; a read that fails is made again, so that indexes
// are late by a sweep at most, and never wrong for good. A change that comes twice is applied once. The order *lanes' mutex,
// then index* must stay (decision 34, `ObjectNodesTests`).
extension ObjectCatalog {
    /// Sets the closure that publishes this node's changes to the other nodes; called once, at the start.
    package func connect(_ tell: @escaping @Sendable (BusContent) -> Void) {
        shared?.state.withLock { $0.tell = tell }
    }

    /// Receives changes that another node has committed.
    package func receive(_ changes: [LaneChange], at now: ContinuousClock.Instant) {
        shared?.state.withLock { state in apply(state.lanes.receive(changes, at: now), isReread: false) }
    }

    /// Called when another node has changed a definition: the definitions are read.
    package func doubtDefinitions() {
        shared?.state.withLock { $0.lanes.doubtDefinitions() }
    }

    /// Called when frames were lost: all lanes are compared with the store.
    package func missedFrames() {
        shared?.state.withLock { $0.isUrgent = true }
    }

    func commit(
        _ submissions: [ObjectSubmission],
        to shared: SharedLanes,
        completion: @escaping @Sendable ([Result<ObjectChange, SharingError>]) -> Void
    ) {
        shared.log.commit(submissions) { commit in
            let difference = shared.state.withLock { state in
                let difference = state.lanes.learn(commit.definitions)
                self.define(difference)
                self.apply(state.lanes.receive(commit.changes, at: .now), isReread: false)
                return difference
            }
            self.tellObservers(of: difference)
            completion(commit.results)
            for part in commit.changes.parts(of: BusFrame.byteLimit / 2) {
                shared.tell(.objectsChanged(part))
            }
        }
    }

    /// Applies changes to the indexes; call it inside the mutex of the lanes.
    private func apply(_ changes: [LaneChange], isReread: Bool) {
        guard !changes.isEmpty else { return }
        let indexes = entries.withLock { entries in
            Dictionary(entries.values.map { ($0.number, $0.index) }) { first, _ in first }
        }
        for (entity, changes) in Dictionary(grouping: changes, by: \.lane.entity) {
            indexes[entity]?.apply(changes, isReread: isReread)
        }
    }

    // MARK: Definitions

    /// Changes a definition in the store, and then here and on the other nodes.
    func define<Value: Sendable>(
        in shared: SharedLanes,
        _ change: () async throws(SharingError) -> Value
    ) async throws(SharingError) -> Value {
        do throws(SharingError) {
            let value = try await change()
            shared.tell(.definitionsChanged)
            await readDefinitions(shared)
            return value
        } catch {
            // The store may have changed the definition before the error.
            await readDefinitions(shared)
            throw error
        }
    }

    /// Reads all definitions; calls run one after the other.
    private func readDefinitions(_ shared: SharedLanes) async {
        do throws(SharingError) {
            try await definitions.pass(.server) { () async throws(SharingError) in
                let past = shared.state.withLock { $0.lanes.beginDefinitions() }
                let stored = try await shared.log.definitions()
                let difference = shared.state.withLock { state in
                    let difference = state.lanes.replace(stored, past: past)
                    define(difference)
                    return difference
                }
                tellObservers(of: difference)
            }
        } catch {
            doubtDefinitions()
        }
    }

    /// Applies changed definitions to the entries; call it inside the mutex of the lanes.
    private func define(_ difference: LaneTable.Difference) {
        entries.withLock { entries in
            for gone in difference.removed where entries[gone.entity.name]?.number == gone.number {
                entries[gone.entity.name] = nil
            }
            for new in difference.added {
                entries[new.entity.name] = Entry(
                    entity: new.entity,
                    index: ObjectIndex(),
                    number: new.number
                )
            }
            for changed in difference.changed where entries[changed.entity.name]?.number == changed.number {
                entries[changed.entity.name]?.entity = changed.entity
            }
        }
    }

    private func tellObservers(of difference: LaneTable.Difference) {
        let changed = difference.added + difference.changed + difference.removed
        for name in Set(changed.map(\.entity.name)) { tellObservers(of: name) }
    }

    // MARK: Reading missed changes

    /// How often all lanes are compared with the store.
    private static let sweepInterval = Duration.seconds(2)

    /// The most changes of one read.
    private static let pageLimit = 256

    /// Reads the changes and definitions that this node missed, until cancelled.
    ///
    /// - Parameters:
    ///   - uptime: The monotonic time.
    ///   - sleep: Waits for a time; throws when cancelled.
    /// - Throws: The error of `sleep`.
    package func follow(
        uptime: @escaping @Sendable () -> ContinuousClock.Instant,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) async throws {
        guard let shared else { return }
        var ticks = 0
        while true {
            let isUrgent = shared.state.withLock { state in
                defer { state.isUrgent = false }
                return state.isUrgent
            }
            if shared.state.withLock(\.lanes.wantsDefinitions) { await readDefinitions(shared) }
            if isUrgent || ticks.isMultiple(of: 20) { await sweep(shared, isUrgent: isUrgent) }
            await readWishes(shared, uptime)
            ticks += 1
            try await sleep(Self.sweepInterval / 20)
        }
    }

    private func sweep(_ shared: SharedLanes, isUrgent: Bool) async {
        let past = shared.state.withLock(\.lanes.heads)
        do throws(SharingError) {
            let lasts = try await shared.log.lasts()
            shared.state.withLock { $0.lanes.sweep(lasts, past: past, isUrgent: isUrgent) }
        } catch {
            if isUrgent { missedFrames() }
        }
    }

    private func readWishes(_ shared: SharedLanes, _ uptime: () -> ContinuousClock.Instant) async {
        while true {
            let wishes = shared.state.withLock { $0.lanes.takeWishes(at: uptime()) }
            guard !wishes.isEmpty else { return }
            for (lane, wish) in wishes {
                do throws(SharingError) {
                    let isThere =
                        switch wish {
                        case .changes(let number): try await read(lane, after: number, shared, uptime)
                        case .census: try await count(lane, shared)
                        }
                    guard !isThere else { continue }
                    shared.state.withLock { $0.lanes.readFailed(of: lane, at: uptime(), isGone: true) }
                } catch {
                    shared.state.withLock { $0.lanes.readFailed(of: lane, at: uptime(), isGone: false) }
                }
            }
        }
    }

    private func read(
        _ lane: ObjectLane,
        after number: Int64,
        _ shared: SharedLanes,
        _ uptime: () -> ContinuousClock.Instant
    ) async throws(SharingError) -> Bool {
        let page = try await shared.log.changes(in: lane, after: number, count: Self.pageLimit)
        guard let page else { return false }
        shared.state.withLock { state in
            let news = state.lanes.receive(page, of: lane, after: number, at: uptime())
            apply(news, isReread: true)
        }
        return true
    }

    /// Removes the objects of a lane whose deletions the store has forgotten.
    ///
    /// - Returns: Whether the lane's entity still exists, in the store and here.
    private func count(_ lane: ObjectLane, _ shared: SharedLanes) async throws(SharingError) -> Bool {
        guard let census = try await shared.log.census(of: lane) else { return false }
        return shared.state.withLock { state in
            let index = entries.withLock { entries in
                entries.values.first { $0.number == lane.entity }?.index
            }
            guard let index else { return false }
            let shown = index.ids.filter { ObjectLane(entity: lane.entity, of: $0) == lane }
            let gone = state.lanes.receive(census, of: lane, showing: shown).map { object in
                LaneChange(lane: lane, number: census.last, version: 0, object: object, record: nil)
            }
            index.apply(gone, isReread: true)
            return true
        }
    }
}

extension [LaneChange] {
    /// The changes in parts of a bounded size.
    fileprivate func parts(of limit: Int) -> [[LaneChange]] {
        var parts: [[LaneChange]] = []
        var bytes = 0
        for change in self {
            if parts.isEmpty || bytes + change.byteCount > limit {
                parts.append([])
                bytes = 0
            }
            parts[parts.count - 1].append(change)
            bytes += change.byteCount
        }
        return parts
    }
}
