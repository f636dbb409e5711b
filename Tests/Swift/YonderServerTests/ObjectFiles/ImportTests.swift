import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import TestSupport
import Testing
import YonderAccounts
import YonderModel
import YonderObjects
import YonderRules

@testable import YonderServer

@Suite struct ImportTests {
    private func run(_ body: @Sendable (Caller, Caller) async throws -> Void) async throws {
        let server = try await TestServer()
        try await server.party("Ann", "Ben") { callers in
            try await callers[0].makeCafes()
            try await body(callers[0], callers[1])
        }
    }

    @Test func `rows become objects, and wrong ones are refused alone`() async throws {
        try await run { ann, _ in
            let reply = try await ann.send(
                """
                name,rating,lat,lon,ele,Address,seats
                A,4.5,52.5,13.4,34,Main Street 1,12
                ,1,,,,,
                C,good,,,,,
                D,,91,0,,,
                E,,,,,Somewhere,
                F,,1,,,,
                G,1
                H,,,,,,
                """
            )
            #expect(reply.status == 200, "\(reply.text)")
            #expect(reply.counts == [8, 3, 0, 0, 5, 0])
            #expect(
                reply.refusals == [
                    "2 missingField", "3 invalidField", "4 invalidField", "6 missingField", "7 invalidRow",
                ]
            )
            let columns = reply.list("columns").map {
                "\($0["name"] ?? ""):\($0["field"] ?? "").\($0["part"] ?? "")"
            }
            #expect(
                columns == [
                    "name:name.", "rating:rating.", "lat:at.latitude", "lon:at.longitude", "ele:at.altitude",
                    "Address:at.address", "seats:.",
                ]
            )
            #expect(
                try await ann.cafes() == [
                    #"{"at":{"address":"Main Street 1","altitude":34,"latitude":52.5,"longitude":13.4},"name":"A","rating":4.5}"#,
                    #"{"at":{"address":"Somewhere"},"name":"E"}"#, #"{"name":"H"}"#,
                ]
            )
            #expect(try await ann.get("/v1/objects/cafe/region?sw=-90,-180&ne=90,180").integer("total") == 1)
        }
    }

    @Test func `a row with the id of an object changes it, and any other makes one`() async throws {
        try await run { ann, _ in
            let id = try await ann.makeCafe("A", rating: 3, at: (1, 2))
            let same = try await ann.makeCafe("B")
            let reply = try await ann.send(
                "id,name,rating\n\(id),A2,\n\(same),B,\n77,C,1\nnode/9,D,2\n,E,\n4.6E+18,F,\n\(id),A3,5\n"
            )
            #expect(reply.counts == [7, 3, 2, 1, 1, 2], "\(reply.text)")
            #expect(reply.refusals == ["6 invalidField"])
            #expect(
                try await ann.cafes() == [
                    #"{"at":{"latitude":1,"longitude":2},"name":"A3","rating":5}"#, #"{"name":"B"}"#,
                    #"{"name":"C","rating":1}"#, #"{"name":"D","rating":2}"#, #"{"name":"E"}"#,
                ]
            )
        }
    }

    @Test func `features become objects, and wrong ones are refused alone`() async throws {
        try await run { ann, _ in
            let id = try await ann.makeCafe("Z", rating: 1, at: (9, 9))
            let reply = try await ann.sendFeatures(
                #"""
                {"type":"FeatureCollection","features":[
                {"type":"Feature","id":"way/1","geometry":{"type":"Point","coordinates":[13.4,52.5,34]},"properties":{"NAME":"A","rating":"4.5","address":"x","lat":"never"}},
                {"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]},"properties":{"name":"B"}},
                {"type":"Feature","geometry":{"type":"Polygon","coordinates":[]},"properties":{"name":"C"}},
                {"type":"Feature","geometry":null,"properties":{"name":7,"lat":1,"lon":2}},
                {"type":"Feature","geometry":null,"properties":{"name":"E","at":{"address":"y"}}},
                {"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"name":"F","at":"|z"}},
                {"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"name":"G","rating":[1]}},
                {"type":"Feature","id":"\#(id)","geometry":null,"properties":{"rating":null}},
                {"type":"Feature","geometry":{"type":"Point","coordinates":[1,95]},"properties":{"name":"H"}}
                ]}
                """#
            )
            #expect(reply.counts == [9, 4, 1, 0, 4, 1], "\(reply.text)")
            #expect(
                reply.refusals == ["2 invalidField", "3 invalidField", "7 invalidField", "9 invalidField"]
            )
            #expect(
                try await ann.cafes() == [
                    #"{"name":"Z"}"#,
                    #"{"at":{"address":"x","altitude":34,"latitude":52.5,"longitude":13.4},"name":"A","rating":4.5}"#,
                    #"{"at":{"latitude":1,"longitude":2},"name":"7"}"#, #"{"at":{"address":"y"},"name":"E"}"#,
                    #"{"at":{"address":"z","latitude":2,"longitude":1},"name":"F"}"#,
                ]
            )
        }
    }

    @Test func `the given targets of columns are used`() async throws {
        try await run { ann, _ in
            let path =
                "/v1/objects/cafe/import?format=csv&map=Titel:name&map=name:&map=N%20(x):at.latitude&map=E:at.longitude"
            let reply = try await ann.send("Titel;name;N (x);E\nA;B;52,5;13,4\n", to: path)
            #expect(reply.counts == [1, 1, 0, 0, 0, 0], "\(reply.text)")
            #expect(try await ann.cafes() == [#"{"at":{"latitude":52.5,"longitude":13.4},"name":"A"}"#])
            let missing = try await ann.send("a\n1\n", to: "/v1/objects/cafe/import?format=csv&map=b:name")
            #expect(missing.status == 400 && missing.code == "unknownField", "\(missing.text)")
        }
    }

    @Test func `a preview checks all and writes nothing`() async throws {
        try await run { ann, _ in
            let id = try await ann.makeCafe("A", rating: 3)
            let rows = (0..<30).map { "N\($0),\(id)," }.joined(separator: "\n")
            let file = "name,like,id\n\(rows)\nX,99,\nA2,,\(id)\n,,\nlast,,\"12"
            let path = "/v1/objects/cafe/import?format=csv&preview=true"
            let partial = try await ann.send(file, to: path + "&partial=true")
            #expect(partial.counts == [33, 30, 1, 0, 2, 0], "\(partial.text)")
            #expect(partial.refusals == ["31 unknownReference", "33 missingField"])
            #expect(partial.list("objects").count == 20)
            let first = try #require(partial.list("objects").first)
            #expect(first["row"] as? Int == 1 && (first["fields"] as? [String: String])?["name"] == "N0")
            let whole = try await ann.send(file, to: path)
            #expect(whole.refusals == ["31 unknownReference", "33 missingField", "34 invalidRow"])
            #expect(try await ann.cafes() == [#"{"name":"A","rating":3}"#])

            let feature = #"{"type":"Feature","geometry":null,"properties":{"name":"F"}}"#
            let cut = #"{"type":"FeatureCollection","features":[\#(feature),{"type":"Fea"#
            #expect(
                try await ann.sendFeatures(cut, query: "&preview=true&partial=true").counts == [
                    1, 1, 0, 0, 0, 0,
                ]
            )
            #expect(try await ann.sendFeatures(cut, query: "&preview=true").refusals == ["2 invalidRow"])
        }
    }

    @Test func `only an owner imports, and a page of this server`() async throws {
        try await run { ann, ben in
            #expect(try await ben.send("name\nA").code == "notAllowed")
            #expect(try await ann.stranger.send("name\nA").code == "notSignedIn")
            let link = try await ann.server.assembly.accounts.makeLink(
                for: try #require(ann.user),
                under: .server
            )
            let page = try await ann.stranger.redeem(link.text)
            #expect(try await page.send("name\nA").status == 200)
            #expect(
                try await page.with(.origin, "https://evil.example").send("name\nA").code == "forbiddenOrigin"
            )
            #expect(try await page.with(.origin, nil).send("name\nA").code == "forbiddenOrigin")
            for type in ["text/plain", "application/json", "multipart/form-data", "application/geo+json"] {
                let reply = try await page.send("name\nA", to: "/v1/objects/cafe/import?format=csv", as: type)
                #expect(reply.status == 400 && reply.code == "invalidFrame", "\(type)")
            }
            let other = try await page.send("{\"fields\":{}}", to: "/v1/objects/cafe", as: "text/csv")
            #expect(other.code == "invalidFrame")
            #expect(try await ann.cafes().count == 1)
        }
    }

    @Test(arguments: [
        ("", "missingField"), ("?format=xml", "invalidField"), ("?format=csv&preview=1", "invalidField"),
        ("?format=csv&map=name", "invalidField"), ("?format=csv&map=name:x", "unknownField"),
        ("?format=csv&token=x", "unknownField"),
    ])
    func `a wish that can't be is refused`(query: String, code: String) async throws {
        try await run { ann, _ in
            let reply = try await ann.send("name\nA", to: "/v1/objects/cafe/import" + query)
            #expect(reply.status == 400 && reply.code == code, "\(reply.text)")
        }
    }

    @Test(arguments: [
        ("", "invalidFile", 400), ("name,name\nA,B", "invalidFile", 400), ("\"name\nA", "invalidFile", 400),
        ("\u{1F}\u{8B}\u{8}", "", 200), (String(repeating: "x,", count: 300), "invalidFile", 400),
        (String(repeating: "x", count: 300_000), "invalidFile", 400),
    ])
    func `a file that is none is refused`(file: String, code: String, status: Int) async throws {
        try await run { ann, _ in
            let reply = try await ann.send(file)
            #expect(reply.status == status && (reply.code ?? "") == code, "\(reply.text)")
            #expect(try await ann.cafes().isEmpty)
        }
    }

    @Test(arguments: ["", "name,lat\n1,2", "[1]", "{\"type\":\"Topology\"}", "null"])
    func `a file that isn't GeoJSON is refused`(file: String) async throws {
        try await run { ann, _ in
            let reply = try await ann.sendFeatures(file)
            #expect(reply.status == 400 && reply.code == "invalidFile", "\(reply.text)")
        }
    }

    @Test func `hostile rows cost themselves alone`() async throws {
        try await run { ann, _ in
            var file = Array("name,rating\n".utf8)
            file += [0x41, 0xFF, 0x2C, 0x31, 0x0A]
            file += Array("\(String(repeating: "x", count: 300_000)),1\n".utf8)
            file += Array("\(String(repeating: "y", count: 20_000)),1\n".utf8)
            file += Array("B,1,2,3\n\"open,1\nC,2\n=SUM(A1),3\nD,".utf8)
            let path = "/v1/objects/cafe/import?format=csv"
            let reply = try await ann.send(file, to: path, as: "text/csv; charset=utf-8")
            #expect(
                reply.refusals == [
                    "1 invalidRow", "2 tooLarge", "3 tooLarge", "4 invalidRow", "5 invalidRow",
                ],
                "\(reply.text)"
            )
            #expect(
                try await ann.cafes() == [
                    #"{"name":"C","rating":2}"#, #"{"name":"=SUM(A1)","rating":3}"#, #"{"name":"D"}"#,
                ]
            )
            let zipped = try await ann.with(.contentEncoding, "gzip").send(
                [0x1F, 0x8B],
                to: path,
                as: "text/csv"
            )
            #expect(zipped.code == "invalidFrame")
            let many = try await ann.send("name\n" + String(repeating: " \"\n", count: 1_500))
            #expect(many.integer("rows") == 1_500 && many.list("errors").count == 0)
            let wrong = try await ann.send("rating\n" + String(repeating: "x\n", count: 1_500))
            #expect(wrong.integer("refused") == 1_500 && wrong.list("errors").count == 1_000)
        }
    }

    @Test func `a row with text that isn't UTF-8, or with half a surrogate pair, is refused alone`()
        async throws
    {
        try await run { ann, _ in
            let file = Array("name\nA\n".utf8) + [0xC3, 0x0A, 0xED, 0xA0, 0x80, 0x0A] + Array("B\n".utf8)
            let rows = try await ann.send(file, to: "/v1/objects/cafe/import?format=csv", as: "text/csv")
            #expect(rows.refusals == ["2 invalidRow", "3 invalidRow"], "\(rows.text)")
            let features = ["\\ud800", "\\udc00x", "\\ud83d\\ude00", "\\uD83Dx", "\\ud83d\\n"].map {
                #"{"type":"Feature","geometry":null,"properties":{"name":"\#($0)"}}"#
            }
            let reply = try await ann.sendFeatures(
                #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
            )
            let wanted = [1, 2, 4, 5].map { "\($0) invalidRow" }
            #expect(reply.refusals == wanted, "\(reply.text)")
            #expect(
                try await ann.cafes() == [#"{"name":"A"}"#, #"{"name":"B"}"#, #"{"name":"😀"}"#]
            )
        }
    }

    @Test func `an address may stand alone in a location's column`() async throws {
        try await run { ann, _ in
            let reply = try await ann.send("name,at\nA,Main Street 1\nB,\"95,200\"\nC,\"1,2,3,4\"\nD,\"1,2\"")
            #expect(reply.refusals == ["2 invalidField", "3 invalidField"], "\(reply.text)")
            #expect(
                try await ann.cafes() == [
                    #"{"at":{"address":"Main Street 1"},"name":"A"}"#,
                    #"{"at":{"latitude":1,"longitude":2},"name":"D"}"#,
                ]
            )
        }
    }

    @Test func `a file without rows is one`() async throws {
        try await run { ann, _ in
            #expect(try await ann.send("name").counts == [0, 0, 0, 0, 0, 0])
            let none = try await ann.sendFeatures("{\"type\":\"FeatureCollection\",\"features\":[]}")
            #expect(none.counts == [0, 0, 0, 0, 0, 0])
        }
    }

    @Test func `an import that ends early reports the rows it has stored`() async throws {
        try await run { ann, _ in
            let catalog = ann.server.catalog
            let entity = try catalog.definition(of: ObjectSamples.entity("cafe"), for: .owner)
            let wish = ObjectImport.Wish(
                entity: entity,
                format: .csv,
                overrides: .none,
                isPreview: false,
                isPartial: false,
                caller: .owner,
                warrant: .server
            )
            let rows = ByteBuffer(string: (0..<600).map { "N\($0)\n" }.joined())
            let pieces = [ByteBuffer(string: "name\n"), rows, rows]
            let next = Mutex(0)
            let stream = AsyncStream { () async -> ByteBuffer? in
                let index = next.withLock { next in
                    defer { next += 1 }
                    return next
                }
                // The entity goes while the third piece is on its way.
                if index == 2 { try? await catalog.deleteEntity(entity.name, by: .owner, under: .server) }
                return index < pieces.count ? pieces[index] : nil
            }
            let body = RequestBody(asyncSequence: stream)
            let store = ann.server.store
            var run = ObjectImport(wish, into: catalog, accounts: store, now: { ObjectSamples.time })
            do throws(SharingError) {
                _ = try await run.run(body, length: nil)
                Issue.record("It went on.")
            } catch {
                #expect(error.code == .unknownEntity)
                #expect(error.message.contains("512 objects were kept"), "\(error.message)")
            }
        }
    }
}
