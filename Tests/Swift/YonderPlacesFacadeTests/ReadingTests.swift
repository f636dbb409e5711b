import Foundation
import HTTPTypes
import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules
import YonderObjects

@testable import YonderPlacesFacade

struct ReadingTests {
    private static func box(_ south: Double, _ west: Double, _ north: Double, _ east: Double) -> [(
        String, String
    )] {
        [("swlat", "\(south)"), ("swlon", "\(west)"), ("nelat", "\(north)"), ("nelon", "\(east)")]
    }

    @Test func `an object is answered with its values, each with its type behind its name`() async throws {
        let server = try await FacadeServer()
        try await server.run { client in
            let other = try await client.make("Other")
            let id = try await client.make(
                "Café \"Ö\"",
                at: "41.6436463,-0.8893991,208.5|Calle Mayor, 1",
                [
                    ("set-rating", "4.5"), ("set-opened", "1764000000000"), ("set-closed", "1"),
                    ("set-more", "{\"a\":[1,null]}"), ("set-near", other),
                ]
            )
            let reply = try await client.call("GET", "/place/\(id)")
            #expect(reply.code == 200 && reply.id == id && reply.ids == [id] && reply.count == nil)
            #expect(reply.headers[.contentType]?.hasPrefix("application/json") == true)
            let time = server.now.milliseconds
            let object = """
                {"name#t":"Café \\"Ö\\"","rating#n":4.5,"opened#d":1764000000000,"closed#b":true,\
                "more#j":{"a":[1,null]},"near#r":"\(other)",\
                "at#l":{"lat":41.6436463,"lon":-0.8893991,"alt":208.5,"addr":"Calle Mayor, 1"},\
                "created_at":\(time),"updated_at":\(time),"type":"place"}
                """
            #expect(
                reply.text
                    == "{\"status\":\"Success\",\"id\":\"\(id)\",\"ids\":[\"\(id)\"],\"objects\":{\"\(id)\":\(object)}}"
            )
        }
    }

    @Test func `a box over the antimeridian has what is on both sides, and the exact count`() async throws {
        let server = try await FacadeServer()
        try await server.run { client in
            for (name, place) in [
                ("west", "-17,179.5"), ("east", "-17,-179.5"), ("on it", "-17,180"), ("too far", "-17,170"),
                ("beyond", "-17,-170"), ("north", "0.1,180"),
            ] {
                try await client.make(name, at: place)
            }
            try await client.make("nowhere", at: "|Somewhere")
            let all = try await client.call("GET", "/place/bounding/at", Self.box(-20, 178, 0, -178))
            #expect(Set(all.names) == ["west", "east", "on it"] && all.count == 3)
            let two = try await client.call(
                "GET",
                "/place/bounding/at",
                Self.box(-20, 178, 0, -178) + [("limit", "2")]
            )
            #expect(two.ids.count == 2 && two.count == 3)
            let none = try await client.call(
                "GET",
                "/place/bounding/at",
                Self.box(-20, 178, 0, -178) + [("limit", "0")]
            )
            #expect(none.ids == [] && none.count == 3)
            let around = try await client.call("GET", "/place/bounding/at", Self.box(-90, -180, 90, 180))
            #expect(around.count == 6)
            let line = try await client.call("GET", "/place/bounding/at", Self.box(-17, 180, -17, -180))
            #expect(line.names == ["on it"])
        }
    }

    @Test func `a box on the equator and the prime meridian keeps its edges`() async throws {
        let server = try await FacadeServer()
        try await server.run { client in
            try await client.make("null", at: "0,0")
            try await client.make("edge", at: "1,1")
            let reply = try await client.call("GET", "/place/bounding/at", Self.box(0, 0, 1, 1))
            #expect(Set(reply.names) == ["null", "edge"] && reply.count == 2)
        }
    }

    @Test func `a box takes conditions and an order, and counts what matches`() async throws {
        let server = try await FacadeServer()
        try await server.run { client in
            for number in 1...5 {
                try await client.make("\(number)", at: "1,\(number)", [("set-rating", "\(number)")])
            }
            let reply = try await client.call(
                "GET",
                "/place/bounding/at",
                Self.box(0, 0, 2, 10) + [
                    ("q", "where rating >= ? sort by rating desc"), ("params", "2"), ("limit", "3"),
                ]
            )
            #expect(reply.names == ["5", "4", "3"] && reply.count == 4)
        }
    }

    @Test func `objects near a point come nearest first, with distances in meters and the count of all`()
        async throws
    {
        let server = try await FacadeServer()
        try await server.run { client in
            for (name, place) in [("Madrid", "40.4167754,-3.7037902"), ("Barcelona", "41.3850639,2.1734035")]
            {
                try await client.make(name, at: place, [("set-rating", "4")])
            }
            try await client.make("Zaragoza", at: "41.6488226,-0.8890853", [("set-rating", "5")])
            try await client.make("nowhere", at: "|Zaragoza", [("set-rating", "4")])
            let here = [("lat", "41.6488226"), ("lon", "-0.8890853")]
            let reply = try await client.call("GET", "/place/near/at", here)
            #expect(reply.names == ["Zaragoza", "Barcelona", "Madrid"] && reply.count == 3)
            let distances = try #require(reply.distances)
            #expect(distances.count == 3 && distances[0] == 0)
            #expect(abs(distances[1] - 256_900) < 1_500 && abs(distances[2] - 273_000) < 1_500)
            let filtered = try await client.call(
                "GET",
                "/place/near/at",
                here + [("q", "where rating=? sort by created_at desc"), ("params", "4"), ("limit", "1")]
            )
            #expect(filtered.names == ["Barcelona"] && filtered.count == 2)
            let none = try await client.call("GET", "/place/near/at", here + [("limit", "0")])
            #expect(none.ids == [] && none.distances == [] && none.count == 3)
        }
    }

    @Test func `a list has everything, on the map or not, in stretches, with the count of all`() async throws
    {
        let server = try await FacadeServer()
        try await server.run { client in
            for number in 0..<7 { try await client.make("\(number)", [("set-rating", "\(number % 3)")]) }
            #expect(try await client.call("GET", "/place").names == (0..<7).map(String.init))
            let page = try await client.call("GET", "/place", [("limit", "3"), ("offset", "2"), ("q", "")])
            #expect(page.names == ["2", "3", "4"] && page.count == 7)
            let first = try await client.call("GET", "/place", [("limit", "3")])
            #expect(first.names == ["0", "1", "2"] && first.count == 7)
            let none = try await client.call("GET", "/place", [("limit", "0")])
            #expect(none.names == [] && none.count == 7)
            let beyond = try await client.call("GET", "/place", [("offset", "8")])
            #expect(beyond.names == [] && beyond.count == 7)
            let matching = try await client.call(
                "GET",
                "/place",
                [("q", "where rating = ?"), ("params", "0"), ("offset", "1"), ("limit", "1")]
            )
            #expect(matching.names == ["3"] && matching.count == 3)
            let sorted = try await client.call(
                "GET",
                "/place",
                [("q", "sort by rating desc"), ("offset", "1"), ("limit", "3")]
            )
            #expect(sorted.count == 7 && sorted.names.count == 3)
            #expect(Set(sorted.names).subtracting(["2", "5", "1", "4"]).isEmpty)
            let byName = try await client.call("GET", "/place", [("q", "sort by name desc"), ("limit", "2")])
            #expect(byName.names == ["6", "5"])
        }
    }

    @Test func `a long list goes on over the store's pages`() async throws {
        let server = try await FacadeServer()
        for number in 0..<2_300 {
            let fields: [FieldName: FieldValue] = [
                ObjectSamples.field("name"): .text("\(number)"),
                ObjectSamples.field("rating"): .number(Double(number % 2)),
            ]
            let submission = ObjectSubmission(
                entity: ObjectSamples.places.name,
                caller: .owner,
                action: .create(fields),
                time: server.now
            )
            try await server.catalog.change(submission)
        }
        try await server.run { client in
            let late = try await client.call("GET", "/place", [("offset", "1999"), ("limit", "2")])
            #expect(late.names == ["1999", "2000"] && late.count == 2_300)
            let odd = try await client.call(
                "GET",
                "/place",
                [
                    ("q", "where rating=? sort by created_at"), ("params", "1"), ("limit", "1000"),
                    ("offset", "500"),
                ]
            )
            #expect(odd.ids.count == 650 && odd.count == 1_150)
        }
    }

    @Test(arguments: [
        ("/place/near/at?lon=1", "MissingParameter"), ("/place/near/at?lat=1", "MissingParameter"),
        ("/place/near/at?lat=91&lon=1", "InvalidParameter"),
        ("/place/near/at?lat=1&lon=181", "InvalidParameter"),
        ("/place/near/at?lat=NaN&lon=1", "InvalidParameter"),
        ("/place/near/at?lat=&lon=1", "InvalidParameter"),
        ("/place/near/at?lat=1&lat=2&lon=1", "RepeatedParameter"),
        ("/place/near/name?lat=1&lon=1", "InvalidField"),
        ("/place/near/nothing?lat=1&lon=1", "FieldNotFound"),
        ("/place/near/at?lat=1&lon=1&limit=1001", "InvalidParameter"),
        ("/place/near/at?lat=1&lon=1&limit=-1", "InvalidParameter"),
        ("/place/near/at?lat=1&lon=1&offset=1", "UnknownParameter"),
        ("/place/bounding/at?swlat=1&swlon=1&nelat=2", "MissingParameter"),
        ("/place/bounding/at?swlat=3&swlon=1&nelat=2&nelon=1", "InvalidParameter"),
        ("/place/bounding/at?swlat=1&swlon=1&nelat=2&nelon=190", "InvalidParameter"),
        ("/place/bounding/name?swlat=1&swlon=1&nelat=2&nelon=1", "InvalidField"),
        ("/place?limit=ten", "InvalidParameter"), ("/place?offset=-1", "InvalidParameter"),
        ("/place?offset=100001", "InvalidParameter"), ("/place?joins=join+near", "UnsupportedQuery"),
        ("/place?q=where+x", "FieldNotFound"), ("/place?q=join+near", "UnsupportedQuery"),
        ("/place?callback=f", "UnknownParameter"), ("/place?auth=x", "UnknownParameter"),
        ("/place?set-name=x", "UnknownParameter"), ("/place?q=&q=", "RepeatedParameter"),
        ("/place/0", "ObjectNotFound"), ("/place/x", "ObjectNotFound"), ("/place/-1", "ObjectNotFound"),
        ("/place?a=%", "InvalidRequest"), ("/place?_method=PATCH", "InvalidParameter"),
        ("/place?method=POST", "InvalidParameter"), ("/place?path=/data/other", "InvalidParameter"),
    ])
    func `a wrong question is refused by name`(path: String, status: String) async throws {
        let server = try await FacadeServer(readers: .anyone)
        try await server.run { client in
            let reply = try await client.send("GET", path)
            #expect(reply.status == status)
            #expect(reply.json["errorMessage"] as? String == reply.json["message"] as? String)
            #expect(reply.code == (status == "ObjectNotFound" ? 404 : 400))
        }
    }

    @Test func `a signed request for an unknown entity or object gets EntityNotFound`() async throws {
        let server = try await FacadeServer()
        try await server.run { client in
            for path in ["/nothing", "/no%20entity", "/nothing/1"] {
                let reply = try await client.call("GET", path)
                #expect(reply.status == "EntityNotFound" && reply.code == 404)
            }
        }
    }

    @Test func `parameters that clients add for the way there are passed over`() async throws {
        let server = try await FacadeServer()
        try await server.run { client in
            let reply = try await client.call(
                "GET",
                "/place",
                spoil: { $0 += [("_", "123"), ("method", "GET"), ("path", "/data/place")] }
            )
            #expect(reply.status == "Success")
        }
    }
}
