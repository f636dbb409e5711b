import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

@testable import YonderObjects

@Suite struct ObjectCatalogTests {
    @Test(arguments: UInt64(0)..<12)
    func `every answer is what looking at all objects says, before and after a restart`(seed: UInt64)
        async throws
    {
        var town = try await CafeTown(seed: seed)
        for step in 0..<400 {
            try await town.step()
            if step % 40 == 39 { try await town.check(queries: 8) }
        }
        try await town.restart()
        try await town.check(queries: 40)
        for _ in 0..<100 { try await town.step() }
        try await town.check(queries: 40)
    }

    @Test
    func `an entity that is still needed stays with its objects, and one that is deleted takes them along`()
        async throws
    {
        let catalog = try await ObjectCatalog.load(from: MemoryStore())
        let visit = EntityDefinition(
            ObjectSamples.entity("visit"),
            fields: [Field(ObjectSamples.field("of"), .reference(to: CafeTown.cafe.name))]
        )
        _ = try await catalog.createEntity(CafeTown.cafe, by: .owner, at: ObjectSamples.time, under: .server)
        _ = try await catalog.createEntity(visit, by: .owner, at: ObjectSamples.time, under: .server)
        try await catalog.change(CafeTown.submission(.create(CafeTown.fields(1, 2))))
        let refusal = await #expect(throws: SharingError.self) {
            try await catalog.deleteEntity(CafeTown.cafe.name, by: .owner, under: .server)
        }
        #expect(refusal?.code == .entityInUse)
        let query = RegionListing(CafeTown.cafe.name, in: .everywhere)
        #expect(try await catalog.region(query, for: .member).total == 1)

        try await catalog.deleteEntity(visit.name, by: .owner, under: .server)
        try await catalog.deleteEntity(CafeTown.cafe.name, by: .owner, under: .server)
        let gone = await #expect(throws: SharingError.self) { try await catalog.region(query, for: .owner) }
        #expect(gone?.code == .unknownEntity && catalog.count == 0)
    }

    @Test func `a change that the store refuses changes nothing on the map`() async throws {
        let catalog = try await ObjectCatalog.load(from: MemoryStore())
        _ = try await catalog.createEntity(CafeTown.cafe, by: .owner, at: ObjectSamples.time, under: .server)
        try await catalog.change(CafeTown.submission(.create(CafeTown.fields(1, 2))))
        let query = RegionListing(CafeTown.cafe.name, in: .everywhere)
        let before = try await catalog.region(query, for: .owner)
        let id = try #require(before.objects.first?.id)
        let moved = CafeTown.fields(3, 4).mapValues(Optional.some)
        let wishes: [ObjectSubmission.Action] = [
            .change(id, moved, ifUpdated: ObjectSamples.time + .milliseconds(-1)),
            .change(id, [CafeTown.name: nil]), .delete(ObjectSamples.id(1)), .create([:]),
        ]
        for wish in wishes {
            await #expect(throws: SharingError.self) { try await catalog.change(CafeTown.submission(wish)) }
        }
        #expect(try await catalog.region(query, for: .owner) == before)
    }

    @Test func `a list of long objects ends early, and the total doesn't`() async throws {
        let (catalog, entity) = try await townOfLongObjects()
        let plain = RegionListing(entity, in: .everywhere)
        let sorted = RegionListing(entity, in: .everywhere, by: ObjectOrder([.init(.created)]))
        for query in [plain, sorted] {
            let answer = try await catalog.region(query, for: .owner)
            let bytes = answer.objects.reduce(0) { $0 + $1.fields.count }
            #expect(answer.total == 200 && answer.objects.count < 100)
            #expect((ObjectList.byteLimit...ObjectList.byteLimit + Object.byteLimit).contains(bytes))
        }
    }

    @Test func `a sorted page of long objects ends early, and the next goes on behind it`() async throws {
        let (catalog, entity) = try await townOfLongObjects()
        let query = ObjectQuery(entity, limit: 1_000)
        let order = ObjectOrder([.init(.created, isDescending: true)])
        var (pages, listed, hasMore) = (0, [ObjectRecord](), true)
        while hasMore {
            let page = try await catalog.list(query, by: order, after: listed.last?.id, for: .owner)
            pages += 1
            listed += page.objects
            hasMore = page.hasMore
        }
        #expect(pages > 2 && listed.count == 200 && Set(listed.map(\.id)).count == 200)
    }

    @Test func `more objects than may be sorted are refused, and listed as they were made`() async throws {
        let catalog = try await ObjectCatalog.load(from: MemoryStore(), sortingLimit: 2)
        _ = try await catalog.createEntity(CafeTown.cafe, by: .owner, at: ObjectSamples.time, under: .server)
        let (query, order) = (ObjectQuery(CafeTown.cafe.name), ObjectOrder([.init(.created)]))
        for _ in 0..<2 { try await catalog.change(CafeTown.submission(.create(CafeTown.fields(1, 2)))) }
        #expect(try await catalog.list(query, by: order, for: .owner).objects.count == 2)
        try await catalog.change(CafeTown.submission(.create(CafeTown.fields(1, 2))))
        let refusal = await #expect(throws: SharingError.self) {
            try await catalog.list(query, by: order, for: .owner)
        }
        #expect(refusal?.code == .tooMany)
        #expect(try await catalog.store.objects(query, for: .owner).objects.count == 3)
    }

    /// 200 objects of some 50 000 bytes each.
    private func townOfLongObjects() async throws -> (ObjectCatalog, EntityName) {
        let catalog = try await ObjectCatalog.load(from: MemoryStore())
        let names = ["a", "b", "c"].compactMap { FieldName($0) }
        let definition = EntityDefinition(
            CafeTown.cafe.name,
            fields: CafeTown.cafe.fields + names.map { Field($0, .text) }
        )
        _ = try await catalog.createEntity(definition, by: .owner, at: ObjectSamples.time, under: .server)
        var fields = CafeTown.fields(1, 2)
        for name in names { fields[name] = .text(String(repeating: "x", count: FieldValue.textLimit)) }
        for _ in 0..<200 { try await catalog.change(CafeTown.submission(.create(fields))) }
        return (catalog, definition.name)
    }
}

/// Objects that come, go and move, and a look at all of them to compare with.
struct CafeTown {
    static let name = ObjectSamples.field("name")
    static let rating = ObjectSamples.field("rating")
    static let location = ObjectSamples.field("at")
    static let cafe = EntityDefinition(
        ObjectSamples.entity("cafe"),
        fields: [Field(name, .text, isRequired: true), Field(rating, .number), Field(location, .location)]
    )

    private let store: MemoryStore
    private var catalog: ObjectCatalog
    private var random: SeededGenerator
    private var ids: [ObjectID] = []
    private let seed: UInt64

    init(seed: UInt64) async throws {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        store = MemoryStore()
        catalog = try await ObjectCatalog.load(from: store)
        _ = try await catalog.createEntity(Self.cafe, by: .owner, at: ObjectSamples.time, under: .server)
    }

    static func submission(_ action: ObjectSubmission.Action) -> ObjectSubmission {
        ObjectSubmission(entity: cafe.name, caller: .owner, action: action, time: ObjectSamples.time)
    }

    static func fields(_ latitude: Double, _ longitude: Double) -> [FieldName: FieldValue] {
        [name: .text("x"), location: ObjectSamples.location(latitude, longitude)]
    }

    mutating func restart() async throws {
        catalog = try await ObjectCatalog.load(from: store)
    }

    // MARK: What happens

    mutating func step() async throws {
        let id = ids.randomElement(using: &random)
        switch Int.random(in: 0..<200, using: &random) {
        case 0: try await beginAnew()
        case 1..<100: try await create()
        case 100..<170:
            guard let id else { return }
            try await catalog.change(Self.submission(.change(id, change())))
        default:
            guard let id else { return }
            try await catalog.change(Self.submission(.delete(id)))
            ids.removeAll { $0 == id }
        }
    }

    private mutating func beginAnew() async throws {
        try await catalog.deleteEntity(Self.cafe.name, by: .owner, under: .server)
        _ = try await catalog.createEntity(Self.cafe, by: .owner, at: ObjectSamples.time, under: .server)
        ids = []
    }

    private mutating func create() async throws {
        var fields = change().compactMapValues(\.self)
        fields[Self.name] = .text(["a", "B", "c"].randomElement(using: &random) ?? "")
        let change = try await catalog.change(Self.submission(.create(fields)))
        ids.append(try #require(change.after?.id))
    }

    private mutating func change() -> [FieldName: FieldValue?] {
        var fields: [FieldName: FieldValue?] = [:]
        if Bool.random(using: &random) {
            fields[Self.rating] = .some(.number(Double(Int.random(in: 0..<5, using: &random))))
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0: fields[Self.location] = .some(nil)
        case 1:
            fields[Self.location] = .some(ObjectLocation(address: "Main Street 1").map(FieldValue.location))
        case 2..<9: fields[Self.location] = .some(ObjectSamples.location(latitude(), longitude()))
        default: break
        }
        return fields
    }

    private mutating func latitude() -> Double {
        let all: [Double] = [-90, -89.9999999, 0, 0.0000001, 45, 90]
        let notable = all.randomElement(using: &random) ?? 0
        return Bool.random(using: &random) ? notable : Double.random(in: -90...90, using: &random)
    }

    private mutating func longitude() -> Double {
        let all: [Double] = [-180, -179.9999999, 0, -0.0000001, 90, 179.9999999, 180]
        let notable = all.randomElement(using: &random) ?? 0
        return Bool.random(using: &random) ? notable : Double.random(in: -180...180, using: &random)
    }

    // MARK: What is so

    mutating func check(queries: Int) async throws {
        let all = try await everything()
        for _ in 0..<queries {
            try await checkRegion(all)
            try await checkNearest(all)
        }
        #expect(catalog.count == all.count { $0.location?.coordinate != nil }, "seed \(seed)")
        try await checkList(all)
    }

    private func everything() async throws -> [Object] {
        var objects: [Object] = []
        var cursor: ObjectCursor?
        repeat {
            let page = try await store.objects(ObjectQuery(Self.cafe.name, after: cursor), for: .owner)
            objects += page.objects
            cursor = page.next
        } while cursor != nil
        return objects
    }

    private mutating func criteria() -> ObjectCriteria {
        Bool.random(using: &random) ? .all : .where(.field(Self.rating), .atLeast(.number(2)))
    }

    private mutating func order() -> ObjectOrder {
        let isDescending = Bool.random(using: &random)
        return ObjectOrder([.init(.field(Self.rating), isDescending: isDescending), .init(.field(Self.name))])
    }

    private mutating func region() -> Region? {
        let (one, other) = (latitude(), latitude())
        return Region(west: longitude(), south: min(one, other), east: longitude(), north: max(one, other))
    }

    private mutating func checkRegion(_ all: [Object]) async throws {
        let drawn = region()
        let region = try #require(drawn)
        let (criteria, order) = (criteria(), Bool.random(using: &random) ? order() : nil)
        let limit = [0, 1, 5, 1_000].randomElement(using: &random) ?? 0
        let query = RegionListing(Self.cafe.name, in: region, where: criteria, by: order, limit: limit)
        let answer = try await catalog.region(query, for: .member)
        let expected = all.filter { object in
            object.location?.coordinate.map(region.contains) ?? false && criteria.matches(object)
        }
        #expect(answer.total == expected.count, "seed \(seed): \(region)")
        #expect(answer.objects.count == min(limit, expected.count), "seed \(seed): \(region)")
        if let order {
            let sorted = expected.sorted(by: order.isBefore).prefix(limit).map(ObjectRecord.init)
            #expect(answer.objects == sorted, "seed \(seed): \(region)")
        } else {
            let known = Set(expected.map(ObjectRecord.init))
            #expect(known.isSuperset(of: answer.objects) && Set(answer.objects).count == answer.objects.count)
        }
    }

    private mutating func checkNearest(_ all: [Object]) async throws {
        let (latitude, longitude) = (latitude(), longitude())
        let center = try #require(Coordinate(latitude: latitude, longitude: longitude))
        let reach =
            Bool.random(using: &random) ? Distance(meters: Double.random(in: 0...5e6, using: &random)) : nil
        let (criteria, limit) = (criteria(), Int.random(in: 1...20, using: &random))
        let query = NearbyQuery(
            Self.cafe.name,
            near: center,
            within: reach,
            where: criteria,
            limit: limit
        )
        let answer = try await catalog.nearest(query, for: .member)
        var distances: [ObjectRecord: Double] = [:]
        for object in all where criteria.matches(object) {
            guard let coordinate = object.location?.coordinate else { continue }
            distances[ObjectRecord(object)] = Coordinate(coordinate).distance(to: center).meters
        }
        let expected = distances.values.filter { $0 <= reach?.meters ?? .infinity }.sorted().prefix(limit)
        try #require(answer.objects.count == expected.count && answer.distances.count == expected.count)
        for (index, distance) in expected.enumerated() {
            let found = answer.distances[index].meters
            #expect(abs(found - distance) < 0.01, "seed \(seed)")
            let own = try #require(distances[answer.objects[index]])
            #expect(abs(found - own) < 0.01, "seed \(seed)")
        }
    }

    private mutating func checkList(_ all: [Object]) async throws {
        let (criteria, order) = (criteria(), order())
        let query = ObjectQuery(Self.cafe.name, where: criteria, limit: 7)
        var listed: [ObjectRecord] = []
        var hasMore = true
        while hasMore {
            let page = try await catalog.list(query, by: order, after: listed.last?.id, for: .member)
            listed += page.objects
            hasMore = page.hasMore
        }
        let expected = all.filter(criteria.matches).sorted(by: order.isBefore)
        #expect(listed == expected.map(ObjectRecord.init), "seed \(seed)")
    }
}
