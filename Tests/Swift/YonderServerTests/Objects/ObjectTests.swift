import HTTPTypes
import Testing
import YonderAccounts
import YonderModel
import YonderServer

@Suite struct ObjectTests {
    private func run(_ body: @Sendable (Caller, Caller) async throws -> Void) async throws {
        let server = try await TestServer()
        try await server.party("Ann", "Ben") { callers in
            try await callers[0].makeCafes()
            try await body(callers[0], callers[1])
        }
    }

    @Test func `an object is made, read, changed and deleted`() async throws {
        try await run { ann, ben in
            let made = try await ann.post(
                "/v1/objects/cafe",
                #"{"fields":{"name":"Café","rating":4.5,"at":{"address":"Main Street 1"},"like":null}}"#
            )
            #expect(made.status == 201)
            let id = try #require(made.object("object")["id"] as? String)
            #expect(
                made.text.contains(
                    #""fields":{"at":{"address":"Main Street 1"},"name":"Café","rating":4.5}}"#
                )
            )
            #expect(try await ben.get("/v1/objects/cafe/\(id)").text == made.text)

            let path = "/v1/objects/cafe/\(id)"
            let changed = try await ann.call(.patch, path, #"{"fields":{"rating":null}}"#)
            #expect(changed.status == 200 && !changed.text.contains("rating"))
            #expect(changed.text.contains("Main Street 1"))
            #expect(try await ann.call(.delete, path).status == 204)
            #expect(try await ann.get(path).code == "unknownObject")
            #expect(try await ann.call(.delete, path).code == "unknownObject")
        }
    }

    @Test func `a change or deletion with an older version is refused`() async throws {
        try await run { ann, _ in
            let id = try await ann.makeCafe("A")
            let path = "/v1/objects/cafe/\(id)"
            let made = try await ann.get(path)
            let first = try #require(made.object("object")["updated"] as? Int)
            let body = #"{"fields":{"name":"B"},"updated":\#(first)}"#
            let changed = try await ann.call(.patch, path, body)
            let second = try #require(changed.object("object")["updated"] as? Int)
            #expect(changed.status == 200 && second > first)

            let late = try await ann.call(.patch, path, body)
            #expect(late.status == 409 && late.code == "objectChanged")
            #expect(try await ann.call(.delete, path, #"{"updated":\#(first)}"#).code == "objectChanged")
            #expect(try await ann.call(.delete, path, #"{"updated":\#(second)}"#).status == 204)
        }
    }

    @Test(arguments: [
        (#"{"fields":{"rating":1}}"#, 400, "missingField"), (#"{"fields":{"name":1}}"#, 400, "invalidField"),
        (#"{"fields":{"name":"a","b":1}}"#, 400, "unknownField"), (#"{}"#, 400, "missingField"),
        (#"{"fields":{"name":"a","at":{"latitude":91,"longitude":0}}}"#, 400, "invalidField"),
        (#"{"fields":{"name":"a","at":{"latitude":1}}}"#, 400, "missingField"),
        (#"{"fields":{"name":"a","like":"1"}}"#, 400, "unknownReference"),
        (#"{"fields":{"name":"a"},"updated":1}"#, 400, "invalidField"), ("[]", 400, "invalidFrame"),
        ("", 400, "invalidJSON"), (#"{"fields":{"name":"a","name":"b"}}"#, 400, "invalidJSON"),
    ])
    func `an object that can't be is refused, and nothing is made`(body: String, status: Int, code: String)
        async throws
    {
        try await run { ann, _ in
            let reply = try await ann.post("/v1/objects/cafe", body)
            #expect(reply.status == status && reply.code == code, "\(reply.text)")
            #expect(try await ann.get("/v1/objects/cafe").list("objects").isEmpty)
        }
    }

    @Test func `more bytes than the longest object needs are refused`() async throws {
        try await run { ann, _ in
            let text = String(repeating: " ", count: 2 * Object.byteLimit)
            let reply = try await ann.post("/v1/objects/cafe", #"{"fields":{"name":"a"}\#(text)}"#)
            #expect(reply.status == 413 && reply.code == "tooLarge")
        }
    }

    @Test func `only owners write, and what somebody refers to stays`() async throws {
        try await run { ann, ben in
            let id = try await ann.makeCafe("A")
            let path = "/v1/objects/cafe/\(id)"
            #expect(try await ben.post("/v1/objects/cafe", #"{"fields":{"name":"B"}}"#).code == "notAllowed")
            #expect(try await ben.call(.patch, path, #"{"fields":{"name":"B"}}"#).code == "notAllowed")
            #expect(try await ben.call(.delete, path).code == "notAllowed")
            #expect(try await ann.stranger.post("/v1/objects/cafe", "{}").code == "notSignedIn")

            let other = try await ann.post("/v1/objects/cafe", #"{"fields":{"name":"B","like":"\#(id)"}}"#)
            #expect(other.status == 201)
            #expect(try await ann.call(.delete, path).code == "objectInUse")
        }
    }

    @Test func `pages of the oldest first have every object once`() async throws {
        try await run { ann, ben in
            for number in 0..<10 { try await ann.makeCafe("\(number)", rating: number % 3) }
            var names: [String] = []
            var cursor: String?
            repeat {
                let page = try await ben.get(
                    "/v1/objects/cafe?limit=4" + (cursor.map { "&cursor=\($0)" } ?? "")
                )
                names += page.values("name")
                cursor = page.string("cursor")
            } while cursor != nil
            #expect(names == (0..<10).map(String.init))

            let some = try await ben.get("/v1/objects/cafe", where: ["rating>=1", "name!=1"])
            #expect(some.values("name") == ["2", "4", "5", "7", "8"] && some.string("cursor") == nil)
        }
    }

    @Test func `pages in another order have every object once`() async throws {
        try await run { ann, ben in
            for number in 0..<10 {
                try await ann.makeCafe("\(number)", rating: number == 5 ? nil : number / 2)
            }
            var names: [String] = []
            var cursor: String?
            repeat {
                let start = cursor.map { "&cursor=\($0)" } ?? ""
                let page = try await ben.get("/v1/objects/cafe?limit=4&sort=-rating,name\(start)")
                names += page.values("name")
                cursor = page.string("cursor")
            } while cursor != nil
            #expect(names == ["8", "9", "6", "7", "4", "2", "3", "0", "1", "5"])
        }
    }

    @Test(arguments: ["", "&sort=-name"])
    func `pages of long objects end early, and the cursor goes on behind them`(sort: String) async throws {
        try await run { ann, _ in
            let reply = try await ann.call(
                .patch,
                "/v1/entities/cafe",
                #"""
                {"fields":[{"name":"name","type":"text","required":true},{"name":"a","type":"text"},
                 {"name":"b","type":"text"},{"name":"c","type":"text"}]}
                """#
            )
            try #require(reply.status == 200, "\(reply.text)")
            let text = String(repeating: "x", count: FieldValue.textLimit)
            for number in 100..<200 {
                let body = #"{"fields":{"name":"\#(number)","a":"\#(text)","b":"\#(text)","c":"\#(text)"}}"#
                let made = try await ann.post("/v1/objects/cafe", body)
                try #require(made.status == 201, "\(made.text)")
            }
            var (names, pages, cursor) = ([String](), 0, String?.none)
            repeat {
                let start = cursor.map { "&cursor=\($0)" } ?? ""
                let page = try await ann.get("/v1/objects/cafe?limit=1000\(sort)\(start)")
                names += page.values("name")
                pages += 1
                cursor = page.string("cursor")
            } while cursor != nil
            let expected = (100..<200).map(String.init)
            #expect(pages > 1 && names == (sort.isEmpty ? expected : expected.reversed()))
        }
    }

    @Test(arguments: [
        ("limit=0", "invalidField"), ("limit=1001", "invalidField"), ("cursor=x", "invalidField"),
        ("sort=none", "unknownField"), ("sort=at", "invalidField"), ("sort=", "invalidField"),
        ("sort=name&sort=id", "invalidField"), ("where=", "invalidField"), ("where=none%3D1", "unknownField"),
        ("where=rating%3Dx", "invalidField"), ("token=x", "unknownField"),
        ("sort=name,name,name,name,name,name,name,name,name", "tooMany"),
        ("sort=name&cursor=1", "unknownObject"),
    ])
    func `a page that can't be is refused`(query: String, code: String) async throws {
        try await run { ann, _ in
            let reply = try await ann.get("/v1/objects/cafe?\(query)")
            #expect(reply.code == code, "\(reply.text)")
        }
    }

    @Test func `there are at most sixteen conditions`() async throws {
        try await run { ann, _ in
            let many = [String](repeating: "rating", count: 16)
            let allowed = try await ann.get("/v1/objects/cafe", where: many)
            #expect(allowed.status == 200)
            let tooMany = try await ann.get("/v1/objects/cafe", where: many + ["rating"])
            #expect(tooMany.status == 409 && tooMany.code == "tooMany")
        }
    }
}
