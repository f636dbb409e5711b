import HTTPTypes
import TestSupport
import Testing
import YonderAccounts
import YonderRules
import YonderHub
import YonderModel
import YonderServer

/// How often one person may do what reaches other people.
@Suite struct PersonLimitTests {
    private func server(_ change: (inout PersonLimits) -> Void = { _ in }) async throws -> TestServer {
        var settings = ServerSettings()
        change(&settings.hub.people)
        return try await TestServer(settings)
    }

    @Test func `each part of a profile changes ten times an hour, and what is there already is no change`()
        async throws
    {
        let server = try await server()
        try await server.party("Ada") { callers async throws in
            func change(_ body: String) async throws -> Int {
                try await callers[0].call(.patch, "/v1/me", body).status
            }
            let parts: [(Int) -> String] = [
                { #"{"hue":\#(30 + $0)}"# }, { #"{"reads":\#($0 % 2 == 1)}"# },
                { #"{"avatar":"/images/\#($0)"}"# }, { #"{"name":"Ada \#($0)"}"# },
            ]
            for part in parts {
                for number in 0..<10 { #expect(try await change(part(number)) == 200, "\(part(number))") }
                for _ in 0..<20 { #expect(try await change(part(9)) == 200) }
                #expect(try await change(part(10)) == 429, "\(part(10))")
            }
        }
    }

    @Test func `a refused change of several parts counts for none`() async throws {
        let server = try await server { $0.renamesPerHour = 1 }
        try await server.party("Ada") { callers async throws in
            func change(_ body: String) async throws -> Int {
                try await callers[0].call(.patch, "/v1/me", body).status
            }
            #expect(try await change(#"{"name":"A"}"#) == 200)
            #expect(try await change(#"{"hue":77,"name":"B"}"#) == 429)
            #expect(try await change(#"{"hue":77,"avatar":"nonsense"}"#) == 400)
            #expect(try await change(#"{"hue":77}"#) == 200)
        }
    }

    @Test func `a person changes their name ten times an hour`()
        async throws
    {
        let server = try await server()
        try await server.party("Ada") { callers in
            func rename(_ name: String) async throws -> Reply {
                try await callers[0].call(.patch, "/v1/me", #"{"name":"\#(name)"}"#)
            }
            for number in 0..<10 { #expect(try await rename("Ada \(number)").status == 200) }
            // The same name again changes nothing.
            #expect(try await rename("Ada 9").status == 200)
            let refused = try await rename("Ada 10")
            #expect(refused.status == 429 && refused.code == "tooManyRequests")
            let seconds = try #require(refused.headers[.retryAfter].flatMap { Int($0) })
            #expect((1...3_600).contains(seconds))
            #expect(try await callers[0].call(.patch, "/v1/me", #"{"hue":77}"#).status == 200)
            server.wait(.seconds(seconds))
            #expect(try await rename("Ada 10").status == 200)
        }
    }

    @Test func `blocks and invitations have limits of their own`() async throws {
        let server = try await server {
            $0.blocksPerHour = 3
            $0.invitationsPerHour = 2
        }
        try await server.party("Ada", "Ben") { callers in
            _ = try await callers[0].startChat(with: callers[1])
            let path = "/v1/blocks/\(try #require(callers[1].user))"
            for method in [HTTPRequest.Method.put, .delete, .put] {
                #expect(try await callers[0].call(method, path).status == 204)
            }
            #expect(try await callers[0].call(.delete, path).code == "tooManyRequests")
            for _ in 0..<2 { #expect(try await callers[1].post("/v1/invitations").status == 201) }
            #expect(try await callers[1].post("/v1/invitations").code == "tooManyRequests")
            #expect(try await callers[0].post("/v1/invitations").status == 201)
        }
    }

    @Test func `a person makes so many tokens an hour, however many they remove`() async throws {
        let server = try await server { $0.tokensPerHour = 2 }
        try await server.party("Ada", "Ben") { callers in
            for _ in 0..<2 {
                let made = try await callers[0].post("/v1/tokens")
                #expect(made.status == 201)
                let id = try #require(made.string("id"))
                #expect(try await callers[0].call(.delete, "/v1/tokens/\(id)").status == 204)
            }
            #expect(try await callers[0].post("/v1/tokens").code == "tooManyRequests")
            #expect(try await callers[1].post("/v1/tokens").status == 201)
        }
    }

    @Test func `a person is put into ten new chats a day by another one, by starting and by adding`()
        async throws
    {
        let server = try await server()
        try await server.party("Ada", "Ben", "Cleo") { callers in
            let (ben, cleo) = (try #require(callers[1].user), try #require(callers[2].user))
            let own = #"{"invitees":["\#(ben)"],"oneToOne":true}"#
            #expect(try await callers[0].post("/v1/chats", own).status == 201)
            var chat = ""
            for _ in 0..<7 { chat = try await callers[0].startChat(with: callers[1]) }
            let keyed = #"{"invitees":["\#(ben)"],"key":"k"}"#
            #expect(try await callers[0].post("/v1/chats", keyed).status == 201)
            let other = try await callers[0].startChat(with: callers[2])
            let keyedAdding = #"{"users":["\#(ben)"],"key":"a"}"#
            #expect(try await callers[0].post("/v1/chats/\(other)/participants", keyedAdding).status == 201)
            let third = try await callers[0].startChat(with: callers[2])
            let adding = #"{"users":["\#(ben)"]}"#
            let starting = #"{"invitees":["\#(ben)","\#(cleo)"]}"#
            for refused in [
                try await callers[0].post("/v1/chats", starting),
                try await callers[0].post("/v1/chats/\(third)/participants", adding),
            ] {
                #expect(refused.status == 429 && refused.code == "tooManyRequests", "\(refused.text)")
            }
            #expect(try await callers[1].get("/v1/chats").list("chats").count == 10)
            // A repeated request, and the chat of two that is there, are answered all the same; so is a repeated addition.
            #expect(try await callers[0].post("/v1/chats", keyed).status == 200)
            #expect(try await callers[0].post("/v1/chats", own).status == 200)
            let repeated = try await callers[0].post("/v1/chats/\(other)/participants", keyedAdding)
            #expect(repeated.status == 201, "\(repeated.text)")
            // A stranger isn't counted, but refused as one.
            for _ in 0..<12 {
                #expect(
                    try await callers[0].post("/v1/chats", #"{"invitees":["77"]}"#).code == "unknownInvitee"
                )
            }
            // A chat of two that exists isn't new.
            let pair = #"{"invitees":["\#(cleo)"],"oneToOne":true}"#
            for _ in 0..<12 { #expect(try await callers[0].post("/v1/chats", pair).status < 300) }
            // The refused ones counted nothing for Cleo.
            #expect(
                try await callers[0].post("/v1/chats/\(chat)/participants", #"{"users":["\#(cleo)"]}"#).status
                    == 201
            )
            server.wait(.seconds(86_400))
            #expect(try await callers[0].post("/v1/chats", starting).status == 201)
        }
    }

    @Test func `a person is in a hundred groups of one owner, and no more`() async throws {
        let server = try await server {
            $0.chatsPerDayWithOne = 0
            $0.ownedWithOne = 3
        }
        try await server.party("Ada", "Ben", "Cleo") { callers in
            var chat = ""
            for _ in 0..<3 { chat = try await callers[0].startChat(with: callers[1]) }
            let ben = try #require(callers[1].user)
            let refused = try await callers[0].post("/v1/chats", #"{"invitees":["\#(ben)"]}"#)
            #expect(refused.status == 409 && refused.code == "tooMany", "\(refused.text)")
            let other = try await callers[0].startChat(with: callers[2])
            let adding = #"{"users":["\#(ben)"]}"#
            #expect(try await callers[0].post("/v1/chats/\(other)/participants", adding).code == "tooMany")
            // Groups of others don't count, nor those that were left.
            #expect(try await callers[1].startChat(with: callers[0]).isEmpty == false)
            #expect(try await callers[1].call(.delete, "/v1/chats/\(chat)/participants/me").status == 200)
            #expect(try await callers[0].post("/v1/chats/\(other)/participants", adding).status == 201)
        }
    }

    @Test func `a share has six hundred heartbeats an hour, and tracks have positions a minute`() async throws
    {
        let server = try await server {
            $0.heartbeatsPerHour = 3
            $0.trackPositionsPerMinute = 2
        }
        try await server.party("Ada", "Ben") { callers in
            let chat = try await callers[0].startChat(with: callers[1])
            #expect(try await callers[0].post("/v1/chats/\(chat)/shares").status == 201)
            let path = "/v1/chats/\(chat)"
            for _ in 0..<3 { #expect(try await callers[0].post(path + "/heartbeat").status < 300) }
            #expect(try await callers[0].post(path + "/heartbeat").code == "tooManyRequests")
            for number in 0..<3 {
                let message = #"{"tag":"Location","data":{"latitude":4\#(number),"longitude":9}}"#
                #expect(try await callers[0].post(path + "/messages", message).status == 201)
            }
            #expect(try await callers[1].get(path + "/tracks").status == 200)
            #expect(try await callers[1].get(path + "/tracks").code == "tooManyRequests")
            #expect(try await callers[0].get(path + "/tracks").status == 200)
            server.wait(.seconds(120))
            #expect(try await callers[1].get(path + "/tracks").status == 200)
        }
    }
}
