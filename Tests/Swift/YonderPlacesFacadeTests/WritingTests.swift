import Foundation
import HTTPTypes
import TestSupport
import Testing
import YonderRules
import YonderGeodesy
import YonderModel

@testable import YonderPlacesFacade

struct WritingTests {
    @Test func `a key that is removed while its request is answered changes nothing`() async throws {
        let server = try await FacadeServer()
        try await server.run { client in
            let made = try await client.call("POST", "/place", [("set-name", "Café")])
            let id = try #require(made.id)
            let requests = [
                ("POST", "/place", [("set-name", "Bar")]), ("PUT", "/place/\(id)", [("set-name", "Bar")]),
                ("PUT", "/place/\(id)", [("incr-rating", "1")]), ("DELETE", "/place/\(id)", []),
            ]
            for (method, path, parameters) in requests {
                server.store.interruption.beforeChange { $0.end(key: "writer") }
                let status = try await client.call(method, path, parameters).status
                #expect(status == "InvalidApiKey", "\(method)")
                try await server.restoreKey()
            }
            let left = try await client.call("GET", "/place/\(id)")
            #expect(left.object(id)["name#t"] as? String == "Café")
            #expect(try await client.call("GET", "/place").count == 1)
        }
    }

    @Test func `an object is made, changed and deleted, and each answer has it`() async throws {
        let server = try await FacadeServer()
        try await server.run { client in
            let made = try await client.call(
                "POST",
                "/place",
                [("set-name", "Café"), ("set-rating", "4"), ("set-at", "1,2|Here")]
            )
            let id = try #require(made.id)
            #expect(made.code == 201 && made.status == "Success" && made.ids == [id])
            #expect(made.object(id)["rating#n"] as? Int == 4 && made.object(id)["type"] as? String == "place")
            server.wait(.seconds(1))
            let changed = try await client.call(
                "PUT",
                "/place/\(id)",
                [("set-name", "Bar"), ("del-rating", "-"), ("set-closed", "true")]
            )
            #expect(changed.code == 200 && changed.id == id)
            let object = changed.object(id)
            #expect(object["name#t"] as? String == "Bar" && object["rating#n"] == nil)
            #expect(object["closed#b"] as? Bool == true && changed.location?["addr"] as? String == "Here")
            #expect(object["updated_at"] as? Int64 == server.now.milliseconds)
            let deleted = try await client.call("DELETE", "/place/\(id)")
            #expect(
                deleted.code == 200 && deleted.id == id && deleted.object(id)["name#t"] as? String == "Bar"
            )
            let gone = try await client.call("GET", "/place/\(id)")
            #expect(gone.status == "ObjectNotFound" && gone.code == 404)
            #expect(try await client.call("DELETE", "/place/\(id)").status == "ObjectNotFound")
            #expect(
                try await client.call("PUT", "/place/\(id)", [("set-name", "x")]).status == "ObjectNotFound"
            )
        }
    }

    @Test func `what an app writes from one address is limited, and what it reads isn't`() async throws {
        let limits = WriteLimits(objects: RateLimit(burst: 2, perSecond: 1))
        let server = try await FacadeServer(writes: limits)
        try await server.run { client in
            let id = try await client.make("One")
            try await client.make("Two")
            for (method, path) in [("POST", "/place"), ("PUT", "/place/\(id)"), ("DELETE", "/place/\(id)")] {
                let refused = try await client.call(
                    method,
                    path,
                    method == "DELETE" ? [] : [("set-name", "x")]
                )
                #expect(refused.code == 429 && refused.status == "TooManyRequests", "\(method)")
                #expect(refused.headers[.retryAfter] != nil)
            }
            #expect(try await client.call("GET", "/place").count == 2)
            server.wait(.seconds(2))
            try await client.make("Three")
        }
    }

    @Test func `a location is on the map with coordinates, and not with an address alone`() async throws {
        let server = try await FacadeServer()
        try await server.run { client in
            let world = [("swlat", "-90"), ("swlon", "-180"), ("nelat", "90"), ("nelon", "180")]
            let id = try await client.make("Café", at: "|Calle Mayor, 1")
            let alone = try await client.call("GET", "/place/\(id)")
            #expect(alone.location as? [String: String] == ["addr": "Calle Mayor, 1"])
            #expect(try await client.call("GET", "/place/bounding/at", world).count == 0)
            #expect(try await client.call("GET", "/place/near/at", [("lat", "0"), ("lon", "0")]).ids == [])
            _ = try await client.call("PUT", "/place/\(id)", [("set-at", "1,2,3|Calle Mayor, 1")])
            #expect(try await client.call("GET", "/place/bounding/at", world).ids == [id])
            _ = try await client.call("PUT", "/place/\(id)", [("set-at", "|Calle Mayor, 2")])
            #expect(try await client.call("GET", "/place/bounding/at", world).ids == [])
            _ = try await client.call("PUT", "/place/\(id)", [("set-at", "1,2")])
            let bare = try await client.call("PUT", "/place/\(id)", [("set-at", "Calle Mayor, 3")])
            #expect(bare.location as? [String: String] == ["addr": "Calle Mayor, 3"])
            #expect(try await client.call("GET", "/place/bounding/at", world).ids == [])
            _ = try await client.call("PUT", "/place/\(id)", [("set-at", "1,2")])
            #expect(try await client.call("GET", "/place/bounding/at", world).ids == [id])
            let emptied = try await client.call("PUT", "/place/\(id)", [("del-at", "1")])
            #expect(emptied.status == "Success" && emptied.location == nil)
            #expect(try await client.call("GET", "/place/bounding/at", world).ids == [])
            #expect(try await client.call("GET", "/place").ids == [id])
        }
    }

    @Test(arguments: [
        ("set-rating", "four", "InvalidField"), ("set-at", "91,0", "InvalidField"),
        ("set-at", "95,200", "InvalidField"), ("set-at", "", "InvalidField"),
        ("set-closed", "perhaps", "InvalidField"), ("set-more", "{", "InvalidField"),
        ("set-opened", "today", "InvalidField"), ("set-opened", "9000000000000000000", "InvalidField"),
        ("set-near", "1", "ReferenceNotFound"), ("set-near", "x", "InvalidField"),
        ("set-nothing", "x", "FieldNotFound"), ("del-nothing", "1", "FieldNotFound"),
        ("set-", "x", "FieldNotFound"), ("set-id", "5", "FieldNotFound"),
        ("set-created_at", "5", "FieldNotFound"), ("del-name", "1", "MissingField"),
        ("incr-rating", "x", "InvalidField"), ("incr-rating", "1e400", "InvalidField"),
        ("incr-name", "1", "InvalidField"), ("incr-nothing", "1", "FieldNotFound"),
        ("add-near", "1", "UnsupportedCommand"),
        ("rem-near", "1", "UnsupportedCommand"), ("name", "x", "UnknownParameter"),
        ("put-name", "x", "UnknownParameter"), ("set", "x", "UnknownParameter"),
    ])
    func `an invalid write is refused whole`(command: String, value: String, status: String) async throws {
        let server = try await FacadeServer()
        try await server.run { client in
            let id = try await client.make("Café", at: "1,2")
            let before = try await client.call("GET", "/place/\(id)").text
            // The first would be fine.
            let other = command.hasSuffix("closed") ? "set-rating" : "set-closed"
            let reply = try await client.call("PUT", "/place/\(id)", [(other, "1"), (command, value)])
            #expect(reply.status == status && reply.code == 400)
            #expect(try await client.call("GET", "/place/\(id)").text == before)
        }
    }

    @Test func `a field is set or emptied once in a request`() async throws {
        let server = try await FacadeServer()
        try await server.run { client in
            let id = try await client.make("Café")
            for second in [("set-rating", "5"), ("del-rating", "1"), ("incr-rating", "1")] {
                let reply = try await client.call("PUT", "/place/\(id)", [("set-rating", "4"), second])
                #expect(reply.status == "RepeatedParameter")
            }
        }
    }

    @Test func `incr adds to a number, and one that isn't there is 0`() async throws {
        let server = try await FacadeServer()
        try await server.run { client in
            let made = try await client.call(
                "POST",
                "/place",
                [("set-name", "Café"), ("incr-rating", "2.5")]
            )
            let id = try #require(made.id)
            #expect(made.object(id)["rating#n"] as? Double == 2.5)
            let less = try await client.call(
                "PUT",
                "/place/\(id)",
                [("incr-rating", "-1"), ("set-name", "Bar")]
            )
            #expect(
                less.object(id)["rating#n"] as? Double == 1.5 && less.object(id)["name#t"] as? String == "Bar"
            )
            _ = try await client.call("PUT", "/place/\(id)", [("del-rating", "1")])
            let again = try await client.call("PUT", "/place/\(id)", [("incr-rating", "3")])
            #expect(again.object(id)["rating#n"] as? Int == 3)
            _ = try await client.call("PUT", "/place/\(id)", [("set-rating", "1.7e308")])
            let over = try await client.call("PUT", "/place/\(id)", [("incr-rating", "1.7e308")])
            #expect(over.status == "InvalidField")
            let gone = try await client.call("PUT", "/place/1", [("incr-rating", "1")])
            #expect(gone.status == "ObjectNotFound" && gone.code == 404)
        }
    }

    @Test func `of many that add at a time, none is lost`() async throws {
        let server = try await FacadeServer()
        try await server.run { client in
            let id = try await client.make("Café")
            try await withThrowingTaskGroup { group in
                for _ in 0..<24 {
                    group.addTask {
                        try await client.call("PUT", "/place/\(id)", [("incr-rating", "1")]).code
                    }
                }
                for try await code in group { #expect(code == 200) }
            }
            let read = try await client.call("GET", "/place/\(id)")
            #expect(read.object(id)["rating#n"] as? Int == 24)
        }
    }

    @Test func `a new object has what is required, and a deleted one isn't referred to`() async throws {
        let server = try await FacadeServer()
        try await server.run { client in
            let missing = try await client.call("POST", "/place", [("set-rating", "4")])
            #expect(missing.status == "MissingField" && missing.code == 400)
            #expect(try await client.call("POST", "/place").status == "MissingField")
            let one = try await client.make("One")
            let two = try await client.make("Two", [("set-near", one)])
            let reply = try await client.call("DELETE", "/place/\(one)")
            #expect(reply.status == "ObjectInUse" && reply.code == 409)
            _ = try await client.call("DELETE", "/place/\(two)")
            #expect(try await client.call("DELETE", "/place/\(one)").status == "Success")
        }
    }

    @Test(arguments: [
        "set-name=%ff", "set-name=%c3", "set-name=%zz", "set-name=%", "set-na%ffme=x", "set-name=%ed%a0%80",
    ])
    func `a form that isn't UTF-8 is refused and names the parameter`(form: String) async throws {
        let server = try await FacadeServer()
        try await server.run { client in
            let reply = try await client.send("POST", "/place", form: form)
            #expect(reply.code == 400 && reply.status == "InvalidRequest")
            let name = try #require(form.split(separator: "=").first)
            #expect((reply.json["message"] as? String)?.hasPrefix(name) == true, "\(reply.text)")
            let query = try await client.send("GET", "/place", form: form)
            #expect(query.code == 400 && query.status == "InvalidRequest")
        }
    }

    @Test func `half a surrogate pair in a JSON value is refused`() async throws {
        let server = try await FacadeServer()
        try await server.run { client in
            let more = #"{"a":"\ud800"}"#
            let reply = try await client.call("POST", "/place", [("set-name", "x"), ("set-more", more)])
            #expect(reply.code == 400 && reply.status == "InvalidField")
            let whole = #"{"a":"\ud83d\ude00"}"#
            #expect(
                try await client.call("POST", "/place", [("set-name", "x"), ("set-more", whole)]).code == 201
            )
        }
    }

    @Test func `a client that can only get deletes and changes with _method`() async throws {
        let server = try await FacadeServer()
        try await server.run { client in
            let id = try await client.make("Café")
            let sent: [(String, String)] = [
                ("key", server.writing.key), ("nonce", UUID().uuidString),
                ("time", "\(server.now.milliseconds)"),
            ]
            let text = sent.sorted { $0.0 < $1.0 }.map { "\($0.0)=\($0.1)" }
            let all = [text[0], "method=DELETE", text[1], "path=/data/place/\(id)", text[2]]
            let signature = server.writing.secret.signature(of: all.joined(separator: "&"))
            // As the client for Android sends it: method and path as parameters, too.
            let reply = try await client.send(
                "GET",
                "/place/\(id)",
                sent + [
                    ("signature", signature), ("_method", "DELETE"), ("method", "DELETE"),
                    ("path", "/data/place/\(id)"),
                ]
            )
            #expect(reply.status == "Success" && reply.id == id)
            #expect(try await client.call("GET", "/place").count == 0)
            #expect(
                try await client.send("GET", "/place/\(id)", [("_method", "DELETE")]).status
                    == "MissingApiKey"
            )
            let whole = try await client.send("GET", "/place", [("_method", "DELETE")])
            #expect(whole.status == "MissingApiKey")
        }
    }

    @Test func `an entity's objects aren't deleted all at once`() async throws {
        let server = try await FacadeServer()
        try await server.run { client in
            let id = try await client.make("Café")
            let reply = try await client.send("DELETE", "/place")
            #expect(reply.code == 405)
            #expect(try await client.call("GET", "/place").ids == [id])
        }
    }

    @Test func `a form stands in the body, is said to be one, and has its limits`() async throws {
        let server = try await FacadeServer()
        try await server.run { client in
            let json = try await client.send("POST", "/place", form: "{}", type: "application/json")
            #expect(json.status == "InvalidRequest" && json.code == 400)
            let plain = try await client.send("POST", "/place", form: "set-name=x", type: "text/plain")
            #expect(plain.status == "InvalidRequest")
            let charset = "application/x-www-form-urlencoded; charset=UTF-8"
            #expect(
                try await client.send("POST", "/place", form: "set-name=x", type: charset).status
                    == "MissingApiKey"
            )
            let both = try await client.send("POST", "/place?set-name=x", form: "set-name=x")
            #expect(both.status == "InvalidRequest")
            let long = try await client.send("POST", "/place", form: String(repeating: "a", count: 131_073))
            #expect(long.status == "TooLarge" && long.code == 413)
            let many = Array(repeating: "a=1", count: 257).joined(separator: "&")
            #expect(try await client.send("POST", "/place", form: many).status == "TooMany")
            let query = "/place?q=" + String(repeating: "a", count: 16_384)
            #expect(try await client.send("GET", query).status == "TooLarge")
        }
    }

    @Test func `a text that is too long for an object is refused`() async throws {
        let server = try await FacadeServer()
        try await server.run { client in
            let text = String(repeating: "a", count: FieldValue.textLimit)
            try await client.make(text)
            let reply = try await client.call("POST", "/place", [("set-name", text + "a")])
            #expect(reply.status == "TooLarge" && reply.code == 413)
        }
    }

    @Test func `hostile text is kept as text, and comes back as it was`() async throws {
        let server = try await FacadeServer()
        try await server.run { client in
            for name in [
                "'; DROP TABLE place; --", "<script>", "a\u{0}b", "\u{202E}x", "a&set-rating=5=", "%41+",
                "\r\n",
            ] {
                let id = try await client.make(name)
                let object = try await client.call("GET", "/place/\(id)").object(id)
                #expect(object["name#t"] as? String == name && object["rating#n"] == nil)
            }
        }
    }
}
