import TestSupport
import Testing
import YonderClient
import YonderGeodesy
import YonderHub
import YonderModel
import YonderRules
import YonderObjects
import YonderWire

@Suite(.timeLimit(.minutes(20))) struct RegionTests {
    @Test(arguments: UInt64(0)..<4)
    func `a live region has what is there, over moves, changes and cut connections`(seed: UInt64) async throws
    {
        try await withFolder { folder in
            try await TestServer.running(folder: folder) { server in
                let person = try await server.person("Ada")
                let connections = Connections()
                let client = try connections.client(server.url, token: person.token)
                let town = try await Town(server.catalog, seed: seed)
                try await running(client) {
                    try await Self.watch(town, client, connections)
                }
            }
        }
    }

    private static func watch(
        _ start: Town,
        _ client: SharingClient,
        _ connections: Connections
    ) async throws {
        var town = start
        for _ in 0..<30 { try await town.change() }
        var region = try town.region()
        let live = await client.objects(of: town.entity, in: region, limit: 1_000)
        var updates = live.makeAsyncIterator()
        var contents = RegionContents<MapObject>()
        var map = MapModel()
        for round in 0..<12 {
            for _ in 0..<10 { try await town.change() }
            if round % 3 != 2 {
                region = try town.region()
                await live.move(to: region)
            }
            if round % 4 == 3 { connections.cut() }
            let truth = town.truth(in: region)
            while contents.region != region || contents.titles != truth {
                contents.apply(try #require(try await updates.next()))
                #expect(contents.isComplete || !contents.isCurrent)
                _ = map.show(objects: contents.shown.values.map { ObjectAnnotation($0, title: nil) })
                #expect(map.annotations.objects.count == contents.items.count)
            }
            #expect(contents.total == truth.count, "round \(round)")
            let found = try await client.findObjects(of: town.entity, in: region, limit: 5)
            #expect(found.total == truth.count && found.items.count == min(5, truth.count))
        }
    }

    @Test func `people come into a region, move there, and leave it`() async throws {
        try await withFolder { folder in
            try await TestServer.running(folder: folder) { server in
                let (ada, bea, chat) = try await server.pair()
                let sender = try Connections().client(server.url, token: ada.token)
                let watcher = try Connections().client(server.url, token: bea.token)
                let region = try #require(Region(west: 179, south: -19, east: -179, north: -17))
                try await running(sender, watcher) {
                    var updates = await watcher.people(in: region).makeAsyncIterator()
                    var contents = RegionContents<RegionPerson>()
                    for place in [position(-18, 179.5), position(-18, -179.5), position(-18, -178.5)] {
                        await sender.share(AsyncStream([place]), with: .chat(chat))
                        let isInside = region.contains(place.coordinate)
                        let seen = isInside ? [place.coordinate] : []
                        while contents.items.values.map(\.coordinate) != seen {
                            contents.apply(try #require(try await updates.next()))
                        }
                        #expect(contents.total == seen.count)
                        #expect(contents.items.values.allSatisfy { $0.user == ada.id && $0.name == "Ada" })
                    }
                }
            }
        }
    }

    @Test func `a viewer who may no longer read an entity gets an error`() async throws {
        try await withFolder { folder in
            try await TestServer.running(folder: folder) { server in
                let town = try await Town(server.catalog, seed: 1)
                let person = try await server.person("Ada")
                let client = try Connections().client(server.url, token: person.token)
                try await running(client) {
                    var updates = await client.objects(of: town.entity, in: .everywhere).makeAsyncIterator()
                    _ = try await updates.next()
                    try await server.catalog.deleteEntity(town.entity, by: .owner, under: .server)
                    do throws(SharingError) {
                        while try await updates.next() != nil {}
                        Issue.record("It didn't end.")
                    } catch {
                        #expect(error.code == .unknownEntity)
                    }
                }
            }
        }
    }
}

/// Objects that come, go, move and get other names, on both sides of the antimeridian.
private struct Town {
    let entity: EntityName
    private let catalog: ObjectCatalog
    private let at: FieldName
    private let name: FieldName
    private var random: SeededGenerator
    private var objects: [ObjectID: (name: String, coordinate: Coordinate)] = [:]

    init(_ catalog: ObjectCatalog, seed: UInt64) async throws {
        self.catalog = catalog
        random = SeededGenerator(seed: seed)
        entity = try #require(EntityName("cafe"))
        at = try #require(FieldName("at"))
        name = try #require(FieldName("name"))
        let definition = EntityDefinition(entity, fields: [Field(name, .text), Field(at, .location)])
        _ = try await catalog.createEntity(definition, by: .owner, at: .now, under: .server)
    }

    func truth(in region: Region) -> [String: String] {
        let inside = objects.filter { region.contains($0.value.coordinate) }
        let rows = inside.map { ($0.key.description, "\($0.value.name) \($0.value.coordinate)") }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    mutating func region() throws -> Region {
        let west = Double.random(in: 178...181, using: &random)
        let east = west + Double.random(in: 0.5...2, using: &random)
        return try #require(
            Region(
                west: west > 180 ? west - 360 : west,
                south: Double.random(in: -2...0, using: &random),
                east: east > 180 ? east - 360 : east,
                north: Double.random(in: 0...2, using: &random)
            )
        )
    }

    mutating func change() async throws {
        let id = objects.keys.sorted { $0.rawValue < $1.rawValue }.randomElement(using: &random)
        let place = try place()
        let title = "n\(Int.random(in: 0..<9, using: &random))"
        switch (Int.random(in: 0..<10, using: &random), id) {
        case (0..<3, _), (_, nil):
            let fields = [name: FieldValue.text(title), at: .location(try location(place))]
            let change = try await submit(.create(fields))
            objects[try #require(change.after).id] = (title, place)
        case (3..<7, let id?):
            try await submit(.change(id, [at: .location(try location(place))]))
            objects[id]?.coordinate = place
        case (7..<9, let id?):
            try await submit(.change(id, [name: .text(title)]))
            objects[id]?.name = title
        case (_, let id?):
            try await submit(.delete(id))
            objects[id] = nil
        }
    }

    @discardableResult
    private func submit(_ action: ObjectSubmission.Action) async throws -> ObjectChange {
        try await catalog.change(
            ObjectSubmission(entity: entity, caller: .owner, action: action, time: .now)
        )
    }

    private mutating func place() throws -> Coordinate {
        let place = Coordinate(
            latitude: Double.random(in: -2...2, using: &random),
            longitude: Double.random(in: 178...182, using: &random)
        )
        return Coordinate(try #require(place).rounded)
    }

    private func location(_ place: Coordinate) throws -> ObjectLocation {
        try #require(ObjectLocation(place, address: "Main Street"))
    }
}

extension RegionContents<MapObject> {
    /// Names and places by id.
    fileprivate var titles: [String: String] {
        let rows = items.values.map { place in
            let name = FieldName("name").flatMap(place.text) ?? "-"
            return (place.id.description, "\(name) \(place.coordinate)")
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }
}
