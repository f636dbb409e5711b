import NIOCore
import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules
import YonderObjects
import YonderWire

@testable import YonderHub

/// Somebody who watches a region of objects, and does with each frame what a client does.
struct RegionViewer {
    let client: FakeClient
    let entity: Entity
    let id: Int64
    let limit: Int
    private(set) var region: Region
    private(set) var topic: Int64?
    private(set) var step: Int64?
    private(set) var isCurrent = false
    private(set) var total: Int?
    private(set) var objects: [ObjectID: Object] = [:]
    private(set) var frames = 0
    private var lastStep: Int64 = 0

    /// Subscribes; the answer is still to come.
    init(
        _ client: FakeClient,
        of entity: Entity,
        in region: Region,
        id: Int64 = 1,
        limit: Int = 300
    ) async throws {
        self.client = client
        self.entity = entity
        self.region = region
        self.id = id
        self.limit = limit
        let query = ObjectRegionQuery(entity.name, in: region, limit: limit)
        try await client.send(.subscribe(id: id, query: .objects(query)))
    }

    /// Asks to be moved; the answer is still to come.
    mutating func move(to region: Region) async throws {
        lastStep += 1
        self.region = region
        try await client.send(.move(id: id, step: lastStep, region: region))
    }

    /// Takes frames until the last step is answered whole.
    mutating func answered() async throws {
        while !isCurrent || step != lastStep { try await takeNext() }
    }

    /// Takes frames until what is here is what is there.
    mutating func settle(_ catalog: ObjectCatalog, _ comment: Comment? = nil) async throws {
        try await answered()
        while try await !isTrue(catalog) { try await takeNext() }
    }

    /// Whether the list is a part of what is inside, as long as it must be, and the total exact.
    func isTrue(_ catalog: ObjectCatalog) async throws -> Bool {
        let query = RegionListing(entity.name, in: region, limit: RegionListing.limits.upperBound)
        let answer = try await catalog.region(query, for: .owner)
        #expect(answer.objects.count == answer.total, "too many for a look at all")
        guard total == answer.total, objects.count == min(limit, answer.total) else { return false }
        let inside = try answer.objects.map { try $0.object(of: entity) }
        let truth = Dictionary(uniqueKeysWithValues: inside.map { ($0.id, $0) })
        return objects.allSatisfy { truth[$0.key] == $0.value }
    }

    /// Takes the next frame of the region, and answers it.
    @discardableResult
    mutating func takeNext() async throws -> RegionFrame {
        let (id, topic) = (self.id, self.topic)
        let frame = try await client.next { frame in
            frame.region.flatMap { $0.answer?.id == id || $0.topic == topic ? $0 : nil }
        }
        try apply(frame)
        return frame
    }

    private mutating func apply(_ frame: RegionFrame) throws {
        frames += 1
        topic = frame.topic
        if let answer = frame.answer {
            step = answer.step
            isCurrent = answer.isCurrent
            #expect(frame.total != nil, "an answer has the total")
        }
        for key in frame.left { #expect(objects.removeValue(forKey: try id(key)) != nil, "left twice") }
        for item in frame.entered {
            let object = try object(item)
            #expect(objects.updateValue(object, forKey: object.id) == nil, "entered twice")
        }
        for item in frame.changed {
            let object = try object(item)
            #expect(objects.updateValue(object, forKey: object.id) != nil, "changed and not there")
        }
        for move in frame.moved { try apply(move) }
        total = frame.total ?? total
        #expect(objects.count <= limit)
    }

    private mutating func apply(_ move: RegionMove) throws {
        guard case .object(let move) = move, var object = objects[move.id] else {
            Issue.record("moved and not there")
            return
        }
        let field = try entity.locationField(nil).name
        let address = object.location?.address
        let location = ObjectLocation(move.coordinate, altitude: move.altitude, address: address)
        object.fields[field] = .location(try #require(location))
        object.updated = move.updated
        objects[move.id] = object
    }

    private func object(_ item: RegionItem) throws -> Object {
        guard case .object(let record) = item else { throw ChannelError.eof }
        return try record.object(of: entity)
    }

    private func id(_ key: RegionKey) throws -> ObjectID {
        guard case .object(let id) = key else { throw ChannelError.eof }
        return id
    }
}

extension FakeClient {
    /// Sends a frame.
    func send(_ frame: ClientFrame) async throws {
        try await send(String(decoding: frame.encoded(), as: UTF8.self))
    }
}

/// An entity with objects on the map of a harness.
struct RegionTown {
    static let name = ObjectSamples.field("name")
    static let at = ObjectSamples.field("at")
    static let cafe = EntityDefinition(
        ObjectSamples.entity("cafe"),
        fields: [Field(name, .text, isRequired: true), Field(at, .location)]
    )

    let catalog: ObjectCatalog
    let entity: Entity

    init(_ harness: ExchangeHarness, readers: EntityReaders = .members) async throws {
        try await self.init(harness.catalog, readers: readers)
    }

    init(_ catalog: ObjectCatalog, readers: EntityReaders = .members) async throws {
        self.catalog = catalog
        var definition = Self.cafe
        definition.readers = readers
        entity = try await catalog.createEntity(
            definition,
            by: .owner,
            at: ObjectSamples.time,
            under: .server
        )
    }

    /// Puts an object on the map.
    @discardableResult
    func put(_ latitude: Double, _ longitude: Double, _ name: String = "x") async throws -> ObjectID {
        let location = ObjectSamples.location(latitude, longitude)
        let change = try await change(.create([Self.name: .text(name), Self.at: location]))
        return try #require(change.after?.id)
    }

    /// Moves an object.
    func move(_ id: ObjectID, _ latitude: Double, _ longitude: Double) async throws {
        try await change(.change(id, [Self.at: ObjectSamples.location(latitude, longitude)]))
    }

    /// Gives an object another name.
    func rename(_ id: ObjectID, _ name: String) async throws {
        try await change(.change(id, [Self.name: .text(name)]))
    }

    /// Takes an object away.
    func delete(_ id: ObjectID) async throws {
        try await change(.delete(id))
    }

    @discardableResult
    func change(_ action: ObjectSubmission.Action) async throws -> ObjectChange {
        try await catalog.change(
            ObjectSubmission(entity: entity.name, caller: .owner, action: action, time: .now)
        )
    }

    /// A region of these edges.
    static func region(_ south: Double, _ west: Double, _ north: Double, _ east: Double) throws -> Region {
        try #require(Region(west: west, south: south, east: east, north: north))
    }
}
