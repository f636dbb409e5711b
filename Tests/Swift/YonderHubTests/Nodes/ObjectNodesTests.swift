import Synchronization
import TestSupport
import Testing
import YonderBus
import YonderGeodesy
import YonderModel
import YonderRules
import YonderWire

@testable import YonderHub
@testable import YonderObjects

/// Objects that one node changes, and what live regions of others show.
@Suite(.timeLimit(.minutes(20))) struct ObjectNodesTests {
    @Test func `an object that one node creates, moves, changes and deletes does so in a region of another`()
        async throws
    {
        try await NodesHarness.run { nodes in
            let (town, there) = try await town(nodes)
            let client = try await nodes.connect(1, to: 1)
            var viewer = try await RegionViewer(client, of: town.entity, in: RegionTown.region(0, 0, 2, 2))
            try await viewer.answered()
            #expect(viewer.total == 0)

            let id = try await town.put(1, 1)
            var frame = try await viewer.takeNext()
            #expect(frame.total == 1 && frame.entered.map(\.key) == [.object(id)])
            try await town.move(id, 1.5, 1)
            frame = try await viewer.takeNext()
            #expect(frame.total == nil && frame.moved.map(\.key) == [.object(id)])
            try await town.rename(id, "y")
            frame = try await viewer.takeNext()
            #expect(frame.total == nil && frame.changed.map(\.key) == [.object(id)])
            try await town.delete(id)
            frame = try await viewer.takeNext()
            #expect(frame.total == 0 && frame.left == [.object(id)])
            #expect(try await viewer.isTrue(there))
        }
    }

    @Test func `what a node answered is on its own map at once, whatever other nodes have committed before`()
        async throws
    {
        // No frame arrives: the changes of the other node are missing until they are read from the store.
        try await NodesHarness.run(fate: { _, _, _ in 0 }) { nodes in
            let (town, there) = try await town(nodes)
            for _ in 0..<50 {
                try await town.put(1, 1)
                let change = try await there.change(creation())
                #expect(try await records(there).contains { $0.id == change.after?.id })
            }
        }
    }

    @Test(arguments: [0, 20, 60])
    func `every node's regions have the store's objects and total, with frames lost and repeated`(
        percent: Int
    ) async throws {
        let random = Mutex(SeededGenerator(seed: UInt64(percent)))
        let fate: @Sendable ([UInt8], Int, Int) -> Int = { _, _, _ in
            random.withLock { random in
                guard Int.random(in: 0..<100, using: &random) < percent else { return 1 }
                return Bool.random(using: &random) ? 0 : 2
            }
        }
        try await NodesHarness.run(nodes: 3, fate: fate) { nodes in
            let (town, _) = try await town(nodes)
            var viewers: [RegionViewer] = []
            for node in 0..<3 {
                let client = try await nodes.connect(node, to: node)
                viewers.append(
                    try await RegionViewer(client, of: town.entity, in: .everywhere, limit: 1_000)
                )
            }
            var random = SeededGenerator(seed: UInt64(percent) + 1)
            var ids: [ObjectID] = []
            for round in 0..<200 {
                let node = try #require(nodes.nodes[round % 3].catalog)
                let (latitude, longitude) = (Double(round % 80), Double(round % 170))
                let location = ObjectSamples.location(latitude, longitude)
                switch Int.random(in: 0..<4, using: &random) {
                case 0 where !ids.isEmpty:
                    let id = ids.remove(at: Int.random(in: 0..<ids.count, using: &random))
                    try await node.change(submission(.delete(id)))
                case 1 where !ids.isEmpty:
                    let id = try #require(ids.randomElement(using: &random))
                    try await node.change(submission(.change(id, [RegionTown.at: location])))
                default: ids.append(try #require(try await node.change(creation()).after?.id))
                }
            }
            for (index, node) in nodes.nodes.enumerated() {
                let catalog = try #require(node.catalog)
                try await nodes.until { try await self.records(catalog) == self.stored(nodes.objects) }
                try await viewers[index].settle(catalog)
                #expect(viewers[index].total == ids.count && Set(viewers[index].objects.keys) == Set(ids))
            }
        }
    }

    @Test func `deletions that the store has forgotten are noticed`() async throws {
        let isCut = Mutex(false)
        try await NodesHarness.run(fate: { _, _, _ in isCut.withLock { $0 ? 0 : 1 } }) { nodes in
            let (town, there) = try await town(nodes)
            var ids: [ObjectID] = []
            for _ in 0..<40 { ids.append(try await town.put(1, 1)) }
            try await nodes.until { try await self.records(there).count == 40 }
            isCut.withLock { $0 = true }
            for id in ids.prefix(20) {
                try await town.delete(id)
                nodes.objects.trim()
            }
            try await nodes.until { try await self.records(there).map(\.id) == ids.suffix(20).sorted() }
        }
    }

    @Test
    func `a definition that one node changes is that of another, and ends what may not be read any more`()
        async throws
    {
        try await NodesHarness.run { nodes in
            let (town, there) = try await town(nodes)
            let client = try await nodes.connect(1, to: 1)
            var viewer = try await RegionViewer(client, of: town.entity, in: .everywhere)
            try await viewer.answered()
            _ = try await town.catalog.changeEntity(town.entity.name, by: .owner, at: .now, under: .server) {
                $0.readers = .owners
            }
            #expect(try await client.next(\.ended).error.code == .unknownEntity)
            #expect(there.isForOwners(town.entity.name))
        }
    }

    @Test func `an object with a field of a new definition is shown under that`() async throws {
        try await NodesHarness.run { nodes in
            let (town, there) = try await town(nodes)
            let color = ObjectSamples.field("color")
            _ = try await town.catalog.changeEntity(town.entity.name, by: .owner, at: .now, under: .server) {
                $0.fields.append(Field(color, .text))
            }
            let id = try await town.put(1, 1)
            try await town.change(.change(id, [color: .text("red")]))
            try await nodes.until {
                guard let record = try await self.records(there).first else { return false }
                let entity = try there.definition(of: RegionTown.cafe.name, for: .owner)
                return try record.object(of: entity).fields[color] == .text("red")
            }
        }
    }

    @Test
    func `an entity that one node deletes and makes again ends the regions of another, and is empty there`()
        async throws
    {
        try await NodesHarness.run { nodes in
            let (town, there) = try await town(nodes)
            try await town.put(1, 1)
            try await nodes.until { try await self.records(there).count == 1 }
            let client = try await nodes.connect(1, to: 1)
            var viewer = try await RegionViewer(client, of: town.entity, in: .everywhere)
            try await viewer.answered()
            try await town.catalog.deleteEntity(town.entity.name, by: .owner, under: .server)
            _ = try await town.catalog.createEntity(RegionTown.cafe, by: .owner, at: .now, under: .server)
            #expect(try await client.next(\.ended).error.code == .unknownEntity)
            let id = try await town.put(3, 3)
            try await nodes.until { (try? await self.records(there).map(\.id)) == [id] }
        }
    }

    // MARK: A town on two nodes

    /// An entity that the first node makes, and the catalog of the second, which knows it.
    private func town(_ nodes: NodesHarness) async throws -> (RegionTown, ObjectCatalog) {
        let town = try await RegionTown(try #require(nodes.nodes[0].catalog))
        for node in nodes.nodes.dropFirst() {
            let catalog = try #require(node.catalog)
            try await nodes.until { (try? catalog.definition(of: RegionTown.cafe.name, for: .owner)) != nil }
        }
        return (town, try #require(nodes.nodes[1].catalog))
    }

    private func creation() -> ObjectSubmission {
        submission(.create([RegionTown.name: .text("x"), RegionTown.at: ObjectSamples.location(5, 5)]))
    }

    private func submission(_ action: ObjectSubmission.Action) -> ObjectSubmission {
        ObjectSubmission(entity: RegionTown.cafe.name, caller: .owner, action: action, time: .now)
    }

    /// The objects on a node's map.
    private func records(_ catalog: ObjectCatalog) async throws -> [ObjectRecord] {
        let listing = RegionListing(
            RegionTown.cafe.name,
            in: .everywhere,
            limit: RegionListing.limits.upperBound
        )
        let answer = try await catalog.region(listing, for: .owner)
        #expect(answer.objects.count == answer.total)
        return answer.objects.sorted { $0.id < $1.id }
    }

    private func stored(_ store: LaneStore) async throws -> [ObjectRecord] {
        let records = Mutex<[ObjectRecord]>([])
        try await store.forEachPlacedObject(batch: 1_000) { batch in records.withLock { $0 += batch } }
        return records.withLock { $0.sorted { $0.id < $1.id } }
    }
}

extension NodesHarness {
    /// Waits for a condition.
    func until(_ condition: () async throws -> Bool) async throws {
        while try await !condition() { try await ContinuousClock().sleep(for: .milliseconds(1)) }
    }
}
