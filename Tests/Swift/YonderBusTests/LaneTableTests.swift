import TestSupport
import Testing
import YonderModel
import YonderRules

@testable import YonderBus

struct LaneTableTests {
    private static let now = ContinuousClock.now

    private static func entity(_ number: Int64, version: Int64 = 1) -> NumberedEntity {
        NumberedEntity(number: number, version: version, entity: ObjectSamples.stored(ObjectSamples.places))
    }

    @Test func `a change of an unknown entity has the definitions read, and then itself`() {
        var table = LaneTable()
        #expect(table.receive([Lanes.change(1, of: 16)], at: Self.now).isEmpty)
        #expect(table.wantsDefinitions)
        #expect(table.replace([Self.entity(3)], past: table.beginDefinitions()).added.map(\.number) == [3])
        #expect(!table.wantsDefinitions)
        table.sweep([LaneLast(lane: Lanes.lane, version: 1, last: 1)], past: table.heads, isUrgent: true)
        #expect(table.takeWishes(at: Self.now).map(\.wish) == [.changes(after: 0)])
    }

    @Test func `a change under another definition isn't applied, and is read under the known one`() {
        var table = LaneTable([Self.entity(3)])
        #expect(table.receive([Lanes.change(1, of: 16, version: 2)], at: Self.now).isEmpty)
        #expect(table.wantsDefinitions)
        #expect(table.takeWishes(at: Self.now).map(\.wish) == [.changes(after: 0)])
        let page = LanePage(
            last: 1,
            trimmed: 0,
            version: 2,
            changes: [Lanes.change(1, of: 16, version: 2)],
            isComplete: true
        )
        #expect(table.receive(page, of: Lanes.lane, after: 0, at: Self.now).isEmpty)
        let past = table.beginDefinitions()
        #expect(table.replace([Self.entity(3, version: 2)], past: past).changed.map(\.version) == [2])
        let later = Self.now + LaneTable.hold
        #expect(table.takeWishes(at: later).map(\.wish) == [.changes(after: 0)])
        #expect(table.receive(page, of: Lanes.lane, after: 0, at: later).map(\.number) == [1])
        #expect(table.isLevel)
    }

    @Test func `an older definition never takes the place of a newer one`() {
        var table = LaneTable([Self.entity(3, version: 2)])
        let difference = table.replace([Self.entity(3, version: 1)], past: [3])
        #expect(difference.added.isEmpty && difference.changed.isEmpty && difference.removed.isEmpty)
        #expect(table.entities[3]?.version == 2)
    }

    @Test func `an entity that was known before the store was asked, and isn't there, is gone`() {
        var table = LaneTable([Self.entity(3), Self.entity(4)])
        #expect(table.replace([], past: [3]).removed.map(\.number) == [3])
        #expect(Array(table.entities.keys) == [4])
    }

    @Test func `a sweep notices entities that are new, changed or gone`() {
        let last = LaneLast(lane: Lanes.lane, version: 1, last: 0)
        var table = LaneTable([Self.entity(3)])
        table.sweep([last], past: table.heads, isUrgent: false)
        #expect(!table.wantsDefinitions)
        table.sweep([LaneLast(lane: Lanes.lane, version: 2, last: 0)], past: table.heads, isUrgent: false)
        #expect(table.wantsDefinitions)
        table = LaneTable([Self.entity(3)])
        table.sweep([], past: table.heads, isUrgent: false)
        #expect(table.wantsDefinitions)
        table = LaneTable()
        table.sweep([last], past: [:], isUrgent: false)
        #expect(table.wantsDefinitions)
    }

    @Test(arguments: UInt64(0)..<200)
    func `every node's objects are the store's, with frames lost, repeated and out of order`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var store = LaneModel(Self.entity(3))
        var nodes = (0..<3).map { _ in LaneModelNode(Self.entity(3)) }
        var now = Self.now
        for step in 0..<600 {
            now += .milliseconds(Int.random(in: 0...20, using: &random))
            let writer = nodes.indices.randomElement(using: &random) ?? 0
            if step < 400, Bool.random(using: &random) {
                let change = store.write(Int64.random(in: 1...6, using: &random) * 16, using: &random)
                nodes[writer].take([change], at: now)
                // An answered change is on the writer's map.
                #expect(nodes[writer].shown[change.object] == change.record, "seed \(seed)")
                for other in nodes.indices where other != writer {
                    for _ in 0..<Int.random(in: 0...2, using: &random) {
                        nodes[other].arriving.append(change)
                    }
                }
            }
            nodes[writer].step(&store, at: now, isSweep: step % 60 == 59, using: &random)
            if step % 150 == 149 { store.trim() }
        }
        for _ in 0..<40 {
            now += .milliseconds(200)
            for node in nodes.indices {
                nodes[node].arriving = []
                for _ in 0..<4 {
                    nodes[node].step(&store, at: now, isSweep: true, using: &random, isCalm: true)
                }
            }
        }
        for node in nodes { #expect(node.shown == store.shown, "seed \(seed)") }
    }
}

/// One lane in a store: objects with the numbers of their changes, and deletions.
private struct LaneModel {
    private(set) var last: Int64 = 0
    private var trimmed: Int64 = 0
    private var rows: [ObjectID: LaneChange] = [:]
    private var deletions: [LaneChange] = []
    let entity: NumberedEntity

    init(_ entity: NumberedEntity) {
        self.entity = entity
    }

    var shown: [ObjectID: ObjectRecord] { rows.compactMapValues(\.record) }

    mutating func write(_ id: Int64, using random: inout SeededGenerator) -> LaneChange {
        last += 1
        let isRemoved = rows[Commits.id(id)] != nil && Int.random(in: 0..<3, using: &random) == 0
        let change = Lanes.change(last, of: id, isRemoved: isRemoved)
        rows[change.object] = isRemoved ? nil : change
        if isRemoved { deletions.append(change) }
        return change
    }

    mutating func trim() {
        trimmed = deletions.last?.number ?? trimmed
        deletions = []
    }

    func page(after number: Int64, count: Int) -> LanePage {
        let all = (Array(rows.values) + deletions).filter { $0.number > number }
            .sorted { $0.number < $1.number }
        return LanePage(
            last: last,
            trimmed: trimmed,
            version: entity.version,
            changes: Array(all.prefix(count)),
            isComplete: all.count <= count
        )
    }

    var census: LaneCensus { LaneCensus(last: last, objects: Set(rows.keys)) }
}

/// A node with one lane, whose reads are answered later than they are made.
private struct LaneModelNode {
    private enum Answer {
        case page(LanePage, after: Int64)
        case census(LaneCensus)
        case failure
    }

    private var table: LaneTable
    private(set) var shown: [ObjectID: ObjectRecord] = [:]
    var arriving: [LaneChange] = []
    private var answer: Answer?

    init(_ entity: NumberedEntity) {
        table = LaneTable([entity])
    }

    mutating func take(_ changes: [LaneChange], at now: ContinuousClock.Instant) {
        apply(table.receive(changes, at: now))
    }

    private mutating func apply(_ changes: [LaneChange]) {
        for change in changes { shown[change.object] = change.record }
    }

    mutating func step(
        _ store: inout LaneModel,
        at now: ContinuousClock.Instant,
        isSweep: Bool,
        using random: inout SeededGenerator,
        isCalm: Bool = false
    ) {
        if !arriving.isEmpty {
            take([arriving.remove(at: Int.random(in: 0..<min(9, arriving.count), using: &random))], at: now)
        }
        if isSweep {
            let last = LaneLast(lane: Lanes.lane, version: store.entity.version, last: store.last)
            table.sweep([last], past: table.heads, isUrgent: false)
        }
        if answer == nil, let wish = table.takeWishes(at: now).first?.wish {
            switch wish {
            case .changes(let number): answer = .page(store.page(after: number, count: 3), after: number)
            case .census: answer = .census(store.census)
            }
            if !isCalm, Int.random(in: 0..<4, using: &random) == 0 { answer = .failure }
        }
        guard isCalm || Bool.random(using: &random) else { return }
        switch answer {
        case .page(let page, let number):
            apply(table.receive(page, of: Lanes.lane, after: number, at: now))
        case .census(let census):
            for id in table.receive(census, of: Lanes.lane, showing: Array(shown.keys)) { shown[id] = nil }
        case .failure: table.readFailed(of: Lanes.lane, at: now, isGone: false)
        case nil: break
        }
        answer = nil
    }
}
