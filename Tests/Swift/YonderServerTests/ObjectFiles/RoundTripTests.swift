import Foundation
import HTTPTypes
import TestSupport
import Testing
import YonderAccounts
import YonderGeodesy
import YonderModel
import YonderRules
import YonderObjects
import YonderServer

@Suite struct RoundTripTests {
    private static let schemas: [[(String, FieldType)]] = [
        [
            ("name", .text), ("rating", .number), ("opened", .date), ("closed", .boolean), ("more", .json),
            ("near", .reference(to: ObjectSamples.entity("company"))), ("at", .location),
        ],
        [("lat", .text), ("Lon", .text), ("address", .text), ("at", .location), ("ID", .json)],
        [("address", .location), ("Name", .text), ("name", .text), ("x", .number), ("y", .json)],
        [("latitude", .location), ("height", .number)], [("name", .text)], [],
    ]

    @Test(arguments: ["csv", "geojson"])
    func `an export is imported without loss`(format: String) async throws {
        for (number, schema) in Self.schemas.enumerated() {
            for seed in UInt64(0)..<4 {
                var random = SeededGenerator(seed: seed + UInt64(number) * 100)
                try await check(schema, format, "schema \(number), seed \(seed)", &random)
            }
        }
    }

    @Test func `an export brings objects back to what they were`() async throws {
        for format in ["csv", "geojson"] {
            var random = SeededGenerator(seed: 7)
            let entity = Self.definition("cafe", Self.schemas[0])
            let server = try await TestServer()
            let targets = try await Self.prepare(server, [entity])
            var ids: [ObjectID] = []
            for _ in 0..<40 {
                let fields = Self.fields(of: entity, targets, &random)
                ids.append(try await Self.submit(server, entity.name, .create(fields)))
            }
            let before = try await Self.contents(server, entity.name)
            let made = ids
            try await server.party("Ann") { callers in
                let file = try await callers[0].get("/v1/objects/cafe/export?format=\(format)")
                for id in made {
                    let empty = entity.fields.map { ($0.name, FieldValue?.none) }
                    let wish = Dictionary(uniqueKeysWithValues: empty)
                    _ = try await Self.submit(server, entity.name, .change(id, wish))
                }
                let reply = try await callers[0].send(Array(file.text.utf8), format, "cafe")
                #expect(reply.integer("refused") == 0 && reply.integer("created") == 0, "\(reply.text)")
            }
            let after = try await Self.contents(server, entity.name)
            #expect(zip(before, after).first { !$0.utf8.elementsEqual($1.utf8) } == nil, "\(format)")
        }
    }

    private func check(
        _ schema: [(String, FieldType)],
        _ format: String,
        _ label: String,
        _ random: inout SeededGenerator
    ) async throws {
        let (old, new) = (Self.definition("old", schema), Self.definition("new", schema))
        let server = try await TestServer()
        let targets = try await Self.prepare(server, [old, new])
        for _ in 0..<120 {
            let fields = Self.fields(of: old, targets, &random)
            _ = try await Self.submit(server, old.name, .create(fields))
        }
        try await server.party("Ann") { callers in
            let file = try await callers[0].get("/v1/objects/old/export?format=\(format)")
            let reply = try await callers[0].send(Array(file.text.utf8), format, "new")
            #expect(reply.counts == [120, 120, 0, 0, 0, 120], "\(label): \(reply.text)")
        }
        let (before, after) = (
            try await Self.contents(server, old.name), try await Self.contents(server, new.name)
        )
        #expect(zip(before, after).first { !$0.utf8.elementsEqual($1.utf8) } == nil, "\(label)")
        #expect(before.count == after.count)
    }

    private static func definition(_ name: StaticString, _ schema: [(String, FieldType)]) -> EntityDefinition
    {
        let fields = schema.compactMap { name, type in FieldName(name).map { Field($0, type) } }
        return EntityDefinition(ObjectSamples.entity(name), fields: fields)
    }

    /// Makes the entities, and companies to refer to.
    private static func prepare(_ server: TestServer, _ entities: [EntityDefinition]) async throws
        -> [ObjectID]
    {
        let company = EntityDefinition(ObjectSamples.entity("company"), fields: [])
        for entity in [company] + entities {
            _ = try await server.catalog.createEntity(
                entity,
                by: .owner,
                at: ObjectSamples.time,
                under: .server
            )
        }
        var ids: [ObjectID] = []
        for _ in 0..<3 { ids.append(try await submit(server, company.name, .create([:]))) }
        return ids
    }

    private static func submit(
        _ server: TestServer,
        _ entity: EntityName,
        _ action: ObjectSubmission.Action
    ) async throws -> ObjectID {
        let change = try await server.catalog.change(
            ObjectSubmission(entity: entity, caller: .owner, action: action, time: ObjectSamples.time)
        )
        return try #require(change.after).id
    }

    private static func contents(_ server: TestServer, _ entity: EntityName) async throws -> [String] {
        let query = ObjectQuery(entity, limit: 1_000)
        return try await server.store.objects(query, for: .owner).objects.map {
            String(decoding: ObjectRecord($0).fields, as: UTF8.self)
        }
    }

    private static func fields(
        of definition: EntityDefinition,
        _ targets: [ObjectID],
        _ random: inout SeededGenerator
    ) -> [FieldName: FieldValue] {
        var fields = ObjectSamples.fields(of: definition, referringTo: targets, using: &random)
        for field in definition.fields where Bool.random(using: &random) {
            fields[field.name] = nasty(field.type, &random) ?? fields[field.name]
        }
        return fields
    }

    private static let pieces = [
        "\"", "\"\"", ",", ";", "\t", "|", "\r\n", "\n", "\r", " ", "\0", "\u{1}", "\u{FEFF}", "\\", "=1+1",
        "@", "-",
        "null", "sep=;", "\u{301}", "é", "日本", "🗺", "{", "]", "'", "\u{2028}", "1,2",
    ]

    private static func text(_ pieces: [String], _ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...5, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
            .joined()
    }

    private static func nasty(_ type: FieldType, _ random: inout SeededGenerator) -> FieldValue? {
        switch type {
        case .text: return .text(text(pieces, &random))
        case .number:
            return .number([Double(bitPattern: random.next()), 1e-7, -0.0, 1e22].first { $0.isFinite } ?? 0)
        case .date: return .date(Timestamp(milliseconds: Int64.random(in: FieldValue.dates, using: &random)))
        case .json:
            let deep = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
            let texts = [
                deep, "{\n \"a\\u0000\" : \"\\\"\" }", "\"null\"", "\" x\"", "-0.0e-1", "{\"\":null}",
            ]
            return texts.randomElement(using: &random).map(ObjectSamples.json)
        case .location:
            let address = text(pieces.filter { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 } }, &random)
            let latitude = Int32.random(in: -900_000_000...900_000_000, using: &random)
            let longitude = Int32.random(in: -1_800_000_000...1_800_000_000, using: &random)
            guard Bool.random(using: &random),
                let place = Coordinate.Rounded(latitude: latitude, longitude: longitude)
            else { return ObjectLocation(address: address).map(FieldValue.location) }
            let altitude = Distance(meters: Double.random(in: -1e5...1e8, using: &random))
            return ObjectLocation(place, altitude: altitude, address: address.isEmpty ? nil : address)
                .map(FieldValue.location)
        case .boolean, .reference: return nil
        }
    }
}

extension Caller {
    fileprivate func send(_ file: [UInt8], _ format: String, _ entity: String) async throws -> Reply {
        let type = format == "csv" ? "text/csv" : "application/geo+json"
        return try await send(file, to: "/v1/objects/\(entity)/import?format=\(format)", as: type)
    }
}
