import HTTPTypes
import TestSupport
import Testing
import YonderAccounts
import YonderModel
import YonderServer

@Suite struct EntityTests {
    private func run(_ body: @Sendable ([Caller]) async throws -> Void) async throws {
        let server = try await TestServer()
        try await server.party("Ann", "Ben") { callers in try await body(callers) }
    }

    @Test func `an owner makes, changes and deletes an entity`() async throws {
        try await run { callers in
            let ann = callers[0]
            try await ann.makeCafes()
            try await ann.makeCafe("A")
            let made = try await ann.get("/v1/entities/cafe")
            #expect(made.status == 200 && made.object("entity")["count"] as? Int == 1)
            #expect(made.object("entity")["readers"] as? String == "members")

            let opened = try await ann.call(.patch, "/v1/entities/cafe", #"{"readers":"anyone"}"#)
            #expect(opened.status == 200 && opened.object("entity")["readers"] as? String == "anyone")
            #expect((opened.object("entity")["fields"] as? [Any])?.count == 4)
            let taken = try await ann.call(
                .patch,
                "/v1/entities/cafe",
                #"{"fields":[{"name":"name","type":"text"}]}"#
            )
            #expect(taken.status == 409 && taken.code == "entityInUse")

            #expect(try await ann.call(.delete, "/v1/entities/cafe").status == 204)
            #expect(try await ann.get("/v1/entities/cafe").code == "unknownEntity")
            #expect(try await ann.get("/v1/objects/cafe/region?sw=-1,-1&ne=1,1").code == "unknownEntity")
            #expect(try await ann.get("/v1/entities").list("entities").isEmpty)
        }
    }

    @Test(arguments: [
        (#"{"name":"1x","fields":[]}"#, 400, "invalidField"), (#"{"fields":[]}"#, 400, "missingField"),
        (#"{"name":"x"}"#, 400, "missingField"), (#"{"name":"x","fields":[],"a":1}"#, 400, "unknownField"),
        (#"{"name":"x","fields":[{"name":"id","type":"text"}]}"#, 400, "invalidField"),
        (#"{"name":"x","fields":[{"name":"a","type":"reference","entity":"b"}]}"#, 400, "unknownReference"),
        (#"{"name":"cafe","fields":[]}"#, 409, "entityExists"), ("[]", 400, "invalidFrame"),
        ("{", 400, "invalidJSON"),
        ("", 400, "invalidJSON"),
    ])
    func `a definition that can't be is refused`(body: String, status: Int, code: String) async throws {
        try await run { callers in
            try await callers[0].makeCafes()
            let reply = try await callers[0].post("/v1/entities", body)
            #expect(reply.status == status && reply.code == code, "\(reply.text)")
        }
    }

    @Test(arguments: [
        (#"{"name":"other"}"#, "invalidField"), (#"{"readers":"all"}"#, "invalidField"),
        (#"{"fields":{}}"#, "invalidField"), (#"{"count":1}"#, "unknownField"),
    ])
    func `a change of a definition that can't be is refused`(body: String, code: String) async throws {
        try await run { callers in
            try await callers[0].makeCafes()
            let reply = try await callers[0].call(.patch, "/v1/entities/cafe", body)
            #expect(reply.status == 400 && reply.code == code, "\(reply.text)")
        }
    }

    @Test func `only owners define`() async throws {
        try await run { callers in
            let (ann, ben) = (callers[0], callers[1])
            try await ann.makeCafes()
            let definition = #"{"name":"x","fields":[]}"#
            #expect(try await ben.post("/v1/entities", definition).code == "notAllowed")
            #expect(try await ben.call(.patch, "/v1/entities/cafe", "{}").code == "notAllowed")
            #expect(try await ben.call(.delete, "/v1/entities/cafe").code == "notAllowed")
            #expect(try await ann.stranger.post("/v1/entities", definition).code == "notSignedIn")
            #expect(try await ann.stranger.call(.delete, "/v1/entities/cafe").code == "notSignedIn")
        }
    }

    @Test(arguments: [
        ("anyone", [true, true, true]), ("members", [true, true, false]), ("owners", [true, false, false]),
    ])
    func `a hidden entity looks like a missing one`(readers: String, rights: [Bool])
        async throws
    {
        try await run { callers in
            try await callers[0].makeCafes(readers: readers)
            let id = try await callers[0].makeCafe("A", at: (1, 2))
            let paths = [
                "/v1/entities/cafe", "/v1/objects/cafe", "/v1/objects/cafe/\(id)",
                "/v1/objects/cafe?sort=name",
                "/v1/objects/cafe/region?sw=0,0&ne=9,9", "/v1/objects/cafe/near?at=1,2",
            ]
            for (caller, isAllowed) in zip([callers[0], callers[1], callers[0].stranger], rights) {
                for path in paths {
                    let reply = try await caller.get(path)
                    #expect(reply.status == (isAllowed ? 200 : 404), "\(path): \(reply.text)")
                    if !isAllowed { #expect(reply.code == "unknownEntity") }
                }
                #expect(try await caller.get("/v1/entities").list("entities").count == (isAllowed ? 1 : 0))
            }
        }
    }

    @Test func `a token that is no good is refused, though nobody needs one here`() async throws {
        try await run { callers in
            try await callers[0].makeCafes(readers: "anyone")
            let reply = try await callers[0].bearing("nonsense").get("/v1/objects/cafe")
            #expect(reply.status == 401 && reply.code == "invalidCredentials")
        }
    }
}
