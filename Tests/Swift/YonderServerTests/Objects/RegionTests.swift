import HTTPTypes
import TestSupport
import Testing
import YonderAccounts
import YonderGeodesy
import YonderModel
import YonderRules
import YonderObjects
import YonderServer

@Suite struct RegionTests {
    private func run(_ body: @Sendable (Caller) async throws -> Void) async throws {
        let server = try await TestServer()
        try await server.party("Ann") { callers in
            try await callers[0].makeCafes(readers: "anyone")
            try await body(callers[0])
        }
    }

    @Test func `a region has its objects, the exact total and the limit`() async throws {
        try await run { ann in
            for number in 0..<5 { try await ann.makeCafe("\(number)", at: (Double(number), 10)) }
            try await ann.makeCafe("nowhere")
            let reply = try await ann.stranger.get("/v1/objects/cafe/region?field=at&sw=1,10&ne=3,10&limit=2")
            #expect(reply.status == 200 && reply.list("objects").count == 2)
            #expect(reply.text.hasSuffix(#"],"total":3,"limit":2,"cached":false}"#))
            let none = try await ann.get("/v1/objects/cafe/region?sw=1,10&ne=3,10&limit=0")
            #expect(none.text == #"{"objects":[],"total":3,"limit":0,"cached":false}"#)
            let object = try await ann.get("/v1/objects/cafe/region?sw=4,9&ne=5,11").list("objects")
            let id = try #require(object.first?["id"] as? String)
            let alone = try await ann.get("/v1/objects/cafe/\(id)").text
            let region = try await ann.get("/v1/objects/cafe/region?sw=4,9&ne=5,11").text
            #expect(region.contains(alone.dropFirst(#"{"object":"#.count).dropLast()))
        }
    }

    @Test(
        arguments: [
            ("sw=-10,170&ne=10,-170", ["edge", "east", "fiji"]), ("sw=-90,-180&ne=90,180", nil),
            ("sw=0,180&ne=0,180", ["edge"]), ("sw=0,-180&ne=0,-180", ["edge"]),
            ("sw=0,179&ne=0,180", ["edge"]),
            ("sw=-1,-1&ne=1,1", ["zero"]), ("sw=0,0&ne=0,0", ["zero"]), ("sw=90,0&ne=90,0", []),
            ("sw=90,33&ne=90,33", ["pole"]), ("sw=89,-180&ne=90,180", ["pole"]),
            ("sw=-90,-180&ne=-89,180", []),
            ("sw=1,1&ne=2,2", []),
        ] as [(String, [String]?)]
    )
    func `regions at the edges of the map are as they are defined`(query: String, names: [String]?)
        async throws
    {
        try await run { ann in
            let places: [(String, (Double, Double))] = [
                ("edge", (0, 180)), ("east", (5, -175)), ("fiji", (-5, 178)), ("zero", (0, 0)),
                ("pole", (90, 33)),
            ]
            for (name, place) in places { try await ann.makeCafe(name, at: place) }
            let reply = try await ann.get("/v1/objects/cafe/region?\(query)")
            #expect(reply.values("name").sorted() == (names ?? places.map(\.0)).sorted(), "\(reply.text)")
            #expect(reply.integer("total") == (names?.count ?? places.count))
        }
    }

    @Test func `conditions and orders are exact, too`() async throws {
        try await run { ann in
            for number in 0..<20 {
                try await ann.makeCafe("\(number)", rating: number % 7, at: (1, Double(number)))
            }
            let best = try await ann.get("/v1/objects/cafe/region?sw=0,0&ne=2,9&limit=3&sort=-rating,-name")
            #expect(best.values("name") == ["6", "5", "4"] && best.integer("total") == 10)
            let good = try await ann.get(
                "/v1/objects/cafe/region?sw=0,0&ne=2,9&limit=1",
                where: ["rating>=2", "name!=8"]
            )
            #expect(good.integer("total") == 6 && good.list("objects").count == 1)
            let near = try await ann.get("/v1/objects/cafe/near?at=1,0&limit=2", where: ["rating=6"])
            #expect(near.values("name") == ["6", "13"])
        }
    }

    @Test func `the nearest come with their distances in meters`() async throws {
        try await run { ann in
            for number in 0..<12 {
                try await ann.makeCafe("\(number)", at: (0, 179.5 + Double(number) / 10 - 1))
            }
            let reply = try await ann.get("/v1/objects/cafe/near?field=at&at=0,-179.95&limit=3")
            #expect(reply.values("name") == ["11", "10", "9"])
            let distances = try #require(reply.json["distances"] as? [Double])
            #expect(distances.count == 3 && distances == distances.sorted() && reply.integer("limit") == 3)
            #expect(reply.json["cached"] as? Bool == false && reply.json["total"] == nil)
            let within = try await ann.get("/v1/objects/cafe/near?at=0,179.5&within=12000")
            #expect(within.values("name").sorted() == ["10", "11", "9"])
            #expect(try await ann.get("/v1/objects/cafe/near?at=80,0&within=0").list("objects").isEmpty)
        }
    }

    @Test(arguments: [
        ("region", "missingField"), ("region?sw=0,0", "missingField"), ("region?ne=0,0", "missingField"),
        ("region?sw=1,0&ne=0,0", "invalidField"), ("region?sw=0,181&ne=0,0", "invalidField"),
        ("region?sw=91,0&ne=91,0", "invalidField"), ("region?sw=0&ne=0,0", "invalidField"),
        ("region?sw=nan,0&ne=0,0", "invalidField"), ("region?sw=0,0&ne=1,1&limit=1001", "invalidField"),
        ("region?sw=0,0&ne=1,1&limit=-1", "invalidField"),
        ("region?sw=0,0&ne=1,1&field=name", "invalidField"),
        ("region?sw=0,0&ne=1,1&field=none", "unknownField"), ("region?sw=0,0&ne=1,1&sort=at", "invalidField"),
        ("region?sw=0,0&ne=1,1&where=x", "unknownField"),
        ("region?sw=0,0&ne=1,1&cached=true", "unknownField"),
        ("region?sw=0,0&sw=0,0&ne=1,1", "invalidField"),
        ("near", "missingField"), ("near?at=0", "invalidField"), ("near?at=0,0&limit=0", "invalidField"),
        ("near?at=0,0&within=-1", "invalidField"), ("near?at=0,0&within=1e999", "invalidField"),
        ("near?at=0,0&within=x", "invalidField"), ("near?at=0,0&field=rating", "invalidField"),
        ("near?at=0,0&sort=name", "unknownField"),
    ])
    func `an invalid query is refused`(query: String, code: String) async throws {
        try await run { ann in
            let reply = try await ann.get("/v1/objects/cafe/\(query)")
            #expect(reply.status == 400 && reply.code == code, "\(reply.text)")
        }
    }

    @Test func `an entity without a location is on no map`() async throws {
        try await run { ann in
            try await ann.post("/v1/entities", #"{"name":"bare","fields":[{"name":"a","type":"text"}]}"#)
            #expect(try await ann.get("/v1/objects/bare/region?sw=0,0&ne=1,1").code == "invalidField")
            #expect(try await ann.get("/v1/objects/bare/near?at=0,0").code == "invalidField")
        }
    }

    @Test func `created, moved, emptied and deleted locations are at once so on the map`() async throws {
        try await run { ann in
            let region = "/v1/objects/cafe/region?sw=0,0&ne=1,1"
            let id = try await ann.makeCafe("A", at: (0.5, 0.5))
            let path = "/v1/objects/cafe/\(id)"
            #expect(try await ann.get(region).ids == [id])
            try await ann.call(.patch, path, #"{"fields":{"at":{"latitude":5,"longitude":5}}}"#)
            #expect(try await ann.get(region).ids.isEmpty)
            try await ann.call(.patch, path, #"{"fields":{"at":{"latitude":1,"longitude":1}}}"#)
            #expect(try await ann.get(region).ids == [id])
            try await ann.call(.patch, path, #"{"fields":{"at":{"address":"Main Street 1"}}}"#)
            #expect(try await ann.get(region).ids.isEmpty)
            try await ann.call(.patch, path, #"{"fields":{"at":{"latitude":0,"longitude":0}}}"#)
            #expect(try await ann.get(region).ids == [id])
            try await ann.call(.delete, path)
            #expect(try await ann.get(region).text == #"{"objects":[],"total":0,"limit":300,"cached":false}"#)
        }
    }

    @Test func `every region equals a look at all objects, also on a server that starts anew over the store`()
        async throws
    {
        let first = try await TestServer()
        let cafes = try await first.party("Ann") { callers in
            try await callers[0].makeCafes(readers: "anyone")
            let cafes = try await Self.populate(callers[0].server.catalog)
            try await Self.compare(callers[0].stranger, with: cafes, seed: 1)
            return cafes
        }
        let second = try await TestServer(store: first.store)
        try await second.run { nobody in try await Self.compare(nobody, with: cafes, seed: 2) }
    }

    private static func populate(_ catalog: ObjectCatalog) async throws -> [Object] {
        var random = SeededGenerator(seed: 0)
        var cafes: [Object] = []
        for number in 0..<2_000 {
            let place = ObjectSamples.location(
                Double.random(in: -90...90, using: &random),
                Double.random(in: -180...180, using: &random)
            )
            let submission = ObjectSubmission(
                entity: ObjectSamples.entity("cafe"),
                caller: .owner,
                action: .create([
                    ObjectSamples.field("name"): .text("\(number)"), ObjectSamples.field("at"): place,
                ]),
                time: ObjectSamples.time
            )
            cafes.append(try #require(try await catalog.change(submission).after))
        }
        return cafes
    }

    private static func compare(_ caller: Caller, with cafes: [Object], seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let latitudes = [
                Double.random(in: -90...90, using: &random), Double.random(in: -90...90, using: &random),
            ]
            let (west, east) = (
                Double.random(in: -180...180, using: &random), Double.random(in: -180...180, using: &random)
            )
            let (south, north) = (latitudes.min() ?? 0, latitudes.max() ?? 0)
            let region = try #require(Region(west: west, south: south, east: east, north: north))
            let inside = cafes.filter { $0.location?.coordinate.map(region.contains) ?? false }
            let reply = try await caller.get(
                "/v1/objects/cafe/region?sw=\(south),\(west)&ne=\(north),\(east)&limit=1000"
            )
            #expect(reply.integer("total") == inside.count, "seed \(seed): \(region)")
            let expected = Set(inside.map(\.id.description))
            let found = Set(reply.ids)
            #expect(
                inside.count <= 1_000
                    ? found == expected : found.count == 1_000 && found.isSubset(of: expected)
            )
        }
    }
}
