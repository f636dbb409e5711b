import HTTPTypes
import Hummingbird
import NIOCore
import TestSupport
import Testing
import YonderModel
import YonderRules
import YonderObjects
import YonderREST

@testable import YonderServer
@testable import YonderTransport

@Suite struct ExportTests {
    @Test func `a table has a row for each object, the oldest first`() async throws {
        let server = try await TestServer()
        try await server.party("Ann", "Ben") { callers in
            let ann = callers[0]
            try await ann.makeCafes()
            let first = try await ann.makeCafe(#"=A,\"1\""#, rating: 4, at: (52.5, 13.4))
            let second = try await ann.makeCafe("B")
            let reply = try await callers[1].get("/v1/objects/cafe/export?format=csv")
            #expect(reply.headers[.contentType] == "text/csv; charset=utf-8")
            #expect(reply.headers[.contentDisposition] == "attachment; filename=\"cafe.csv\"")
            #expect(
                reply.text == """
                    id,name,rating,latitude,longitude,altitude,address,like\r
                    \(first),"=A,""1""\",4,52.5,13.4,,,\r
                    \(second),B,,,,,,\r

                    """
            )
            let some = try await ann.get("/v1/objects/cafe/export?format=csv", where: ["!rating"])
            #expect(some.text.split(separator: "\r\n").count == 2)
        }
    }

    @Test func `a collection has a feature for each object`() async throws {
        let server = try await TestServer()
        try await server.party("Ann") { callers in
            let ann = callers[0]
            try await ann.makeCafes(readers: "anyone")
            let id = try await ann.makeCafe("A", at: (52.5, 13.4))
            let reply = try await ann.stranger.get("/v1/objects/cafe/export?format=geojson")
            #expect(reply.headers[.contentType] == "application/geo+json")
            #expect(
                reply.text == """
                    {"type":"FeatureCollection","features":[
                    {"type":"Feature","id":"\(id)","geometry":{"type":"Point","coordinates":[13.4,52.5]},\
                    "properties":{"name":"A","rating":null,"address":null,"like":null}}
                    ]}

                    """
            )
        }
    }

    @Test func `a caller who may not read an entity can't export it`() async throws {
        let server = try await TestServer()
        try await server.party("Ann", "Ben") { callers in
            try await callers[0].makeCafes(readers: "owners")
            for caller in [callers[1], callers[1].stranger] {
                let reply = try await caller.get("/v1/objects/cafe/export?format=csv")
                #expect(reply.status == 404 && reply.code == "unknownEntity")
            }
            #expect(try await callers[0].get("/v1/objects/cafe/export").code == "missingField")
        }
    }

    @Test func `an export comes in pages, and ends when the receiver goes`() async throws {
        let server = try await TestServer()
        let entity = try await Self.places(2_500, on: server)
        let export = Self.export(of: entity, .all, server)
        let all = Receiver(limit: .max)
        try await export.answer().body.write(all)
        let pieces = all.pieces
        #expect(pieces.count == 26 && pieces.dropLast().allSatisfy { $0 > 0 })

        let impatient = Receiver(limit: 2)
        await #expect(throws: CancellationError.self) { try await export.answer().body.write(impatient) }
        #expect(impatient.pieces.count == 2)
    }

    @Test func `an export with conditions ends once its client has closed the connection`() async throws {
        let server = try await TestServer()
        let entity = try await Self.places(2_500, on: server)
        let criteria = ObjectCriteria.where(.field(ObjectSamples.field("name")), .exists)
        let export = Self.export(of: entity, criteria, server)
        let presence = ClientPresence()
        // The connection takes everything still, as one that has room does.
        let receiver = Receiver(limit: .max) { presence.end() }
        try await ClientPresence.$current.withValue(presence) {
            let answer = try await export.answer()
            await #expect(throws: SharingError.self) { try await answer.body.write(receiver) }
        }
        #expect(receiver.pieces.count < 25)
    }

    private static func places(_ count: Int, on server: TestServer) async throws -> Entity {
        let entity = try await server.catalog.createEntity(
            ObjectSamples.places,
            by: .owner,
            at: ObjectSamples.time,
            under: .server
        )
        for number in 0..<count {
            let fields = [ObjectSamples.field("name"): FieldValue.text("\(number)")]
            let wish = ObjectSubmission(
                entity: entity.name,
                caller: .owner,
                action: .create(fields),
                time: ObjectSamples.time
            )
            try await server.catalog.change(wish)
        }
        return entity
    }

    private static func export(of entity: Entity, _ criteria: ObjectCriteria, _ server: TestServer)
        -> ObjectExport
    {
        ObjectExport(
            catalog: server.catalog,
            entity: entity,
            criteria: criteria,
            format: .csv,
            reader: .owner,
            turn: .server,
            right: OngoingRight(nil, accounts: server.store, now: { ObjectSamples.time })
        )
    }
}

/// Takes so many pieces, and is gone then.
private final class Receiver: ResponseBodyWriter {
    private let limit: Int
    private let onPiece: () -> Void
    private(set) var pieces: [Int] = []

    init(limit: Int, onPiece: @escaping () -> Void = {}) {
        self.limit = limit
        self.onPiece = onPiece
    }

    func write(_ buffer: ByteBuffer) async throws {
        guard pieces.count < limit else { throw CancellationError() }
        pieces.append(buffer.readableBytes)
        onPiece()
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
