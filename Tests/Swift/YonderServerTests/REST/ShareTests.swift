import HTTPTypes
import Testing
import YonderGeodesy
import YonderModel

@Suite struct ShareTests {
    @Test func `a share is started, listed, changed and stopped over REST`() async throws {
        let server = try await TestServer()
        try await server.party("Ada", "Ben") { callers in
            let chat = try await callers[0].startChat(with: callers[1])
            let path = "/v1/chats/\(chat)/shares"
            let until = 1_764_000_000_000 + 900_000
            let started = try await callers[0].post(path, #"{"key":"k","until":\#(until),"keep":"expiring"}"#)
            #expect(started.status == 201 && started.integer("number") == 1, "\(started.text)")
            let share = try #require(started.object("share")["share"] as? String)
            let listed = try await callers[1].get(path)
            #expect(
                listed.text.contains(#""share":"\#(share)""#) && listed.text.contains(#""keep":"expiring""#)
            )
            let changed = try await callers[0].call(.patch, "\(path)/\(share)", #"{"until":null}"#)
            #expect(changed.status == 200 && changed.text.contains(#""until":null"#), "\(changed.text)")
            #expect(try await callers[1].call(.delete, "\(path)/\(share)").code == "unknownShare")
            let stopped = try await callers[0].call(.delete, "\(path)/\(share)")
            #expect(stopped.status == 200 && stopped.text.contains(#""state":"ended""#))
            #expect(try await callers[0].call(.delete, "\(path)/\(share)").code == "shareEnded")
        }
    }

    @Test func `a stop that waited ends what began before it, and is done for what is over`() async throws {
        let server = try await TestServer()
        try await server.party("Ada", "Ben", "Cleo") { callers in
            var chats: [String] = []
            for other in callers[1...] {
                let chat = try await callers[0].startChat(with: other)
                #expect(try await callers[0].post("/v1/chats/\(chat)/shares").status == 201)
                chats.append(chat)
                server.wait(.seconds(60))
            }
            let tap = 1_764_000_000_000 + 30_000
            let early = #"{"chat":"\#(chats[1])","before":\#(tap)}"#
            #expect(try await callers[0].call(.delete, "/v1/me/shares", early).text == #"{"stopped":[]}"#)
            let waited = #"{"before":\#(tap)}"#
            let stopped = try await callers[0].call(.delete, "/v1/me/shares", waited)
            #expect(stopped.text.hasPrefix(#"{"stopped":[""#), "\(stopped.text)")
            let shown = try await callers[1].get("/v1/chats/\(chats[0])/shares").text
            #expect(shown.contains(#""state":"ended","cause":"stopped","asOf":\#(tap)"#), "\(shown)")
            #expect(try await callers[0].call(.delete, "/v1/me/shares", waited).text == #"{"stopped":[]}"#)
            #expect(try await callers[0].get("/v1/me/shares").list("shares").count == 1)
        }
    }

    @Test func `a token that sends on after the end is refused, and a heartbeat too`() async throws {
        let server = try await TestServer()
        try await server.party("Ada", "Ben") { callers in
            let chat = try await callers[0].startChat(with: callers[1])
            let position = #"{"tag":"Location","data":{"latitude":"59.9","longitude":"10.7"}}"#
            #expect(try await callers[0].post("/v1/chats/\(chat)/messages", position).status == 201)
            let last = #"{"fix":{"time":9223372036854775807}}"#
            #expect(try await callers[0].post("/v1/chats/\(chat)/heartbeat", last).code == "invalidField")
            let beat = #"{"battery":0.5,"fix":{"time":1764000000000}}"#
            #expect(try await callers[0].post("/v1/chats/\(chat)/heartbeat", beat).status == 204)
            for fix in [
                #""latitude":91,"longitude":0"#, #""latitude":0,"longitude":-181"#, #""latitude":0"#,
                #""accuracy":-1"#,
            ] {
                let wrong = #"{"fix":{"time":1764000000000,\#(fix)}}"#
                let refused = try await callers[0].post("/v1/chats/\(chat)/heartbeat", wrong)
                #expect(refused.status == 400 && refused.code == "invalidField", "\(fix)")
            }
            let ben = try #require(callers[1].user)
            let own = try await callers[0].get("/v1/me/shares")
            #expect(own.text.contains(#""viewers":["\#(ben)"]"#), "\(own.text)")
            #expect(own.text.contains(#""battery":0.5"#))
            #expect(try await callers[0].call(.delete, "/v1/me/shares").text.hasPrefix(#"{"stopped":[""#))
            #expect(try await callers[0].get("/v1/me/shares").text == #"{"shares":[]}"#)
            server.wait(.seconds(1))
            for keep in ["", #","keep":false"#] {
                let body = position.dropLast() + keep + "}"
                let reply = try await callers[0].post("/v1/chats/\(chat)/messages", String(body))
                #expect(reply.status == 409 && reply.code == "shareEnded", "\(reply.text)")
            }
            #expect(try await callers[0].post("/v1/chats/\(chat)/heartbeat", beat).code == "shareEnded")
        }
    }

    @Test(arguments: [
        #"{"until":5}"#, #"{"until":"soon"}"#, #"{"keep":"long"}"#, #"{"arrival":{"latitude":1}}"#,
        #"{"arrival":{"latitude":1,"longitude":2,"radius":1}}"#,
        #"{"arrival":{"latitude":1,"longitude":181}}"#,
        #"{"arrival":{"latitude":1,"longitude":2,"x":1}}"#,
    ])
    func `a wrong share is refused`(body: String) async throws {
        let server = try await TestServer()
        try await server.party("Ada", "Ben") { callers in
            let chat = try await callers[0].startChat(with: callers[1])
            let reply = try await callers[0].post("/v1/chats/\(chat)/shares", body)
            #expect(reply.status == 400 && reply.code == "invalidField", "\(reply.text)")
        }
    }

    @Test func `a user outside the chat sees no share of it`() async throws {
        let server = try await TestServer()
        try await server.party("Ada", "Ben", "Cleo") { callers in
            let chat = try await callers[0].startChat(with: callers[1])
            #expect(try await callers[2].get("/v1/chats/\(chat)/shares").code == "unknownChat")
            #expect(try await callers[2].post("/v1/chats/\(chat)/shares", "{}").code == "unknownChat")
        }
    }
}
