import HTTPTypes
import TestSupport
import Testing
import YonderAccounts
import YonderModel

@testable import YonderServer

/// The shares of people whose sign-ins end, over REST.
@Suite(.timeLimit(.minutes(20))) struct ShareSignInTests {
    /// Another token of a caller's, with the path that removes it.
    private static func token(of caller: Caller) async throws -> (caller: Caller, path: String) {
        let made = try await caller.post("/v1/tokens", #"{"label":"phone"}"#)
        let path = "/v1/tokens/\(try #require(made.string("id")))"
        return (caller.bearing(try #require(made.string("token"))), path)
    }

    /// The states of the `Share` messages in a chat.
    private static func states(_ reader: Caller, _ chat: String) async throws -> [String] {
        try await reader.get("/v1/chats/\(chat)/messages").list("messages").filter {
            $0["tag"] as? String == "Share"
        }
        .compactMap { ($0["data"] as? [String: Any])?["state"] as? String }
    }

    private static let position = #"{"tag":"Location","data":{"latitude":"59.9","longitude":"10.7"}}"#

    @Test func `a share that one token starts and another's heartbeat feeds ends with both, told once`()
        async throws
    {
        let server = try await TestServer()
        try await server.party("Ada", "Ben") { callers in
            let chat = try await callers[0].startChat(with: callers[1])
            let (starter, phone) = (
                try await Self.token(of: callers[0]), try await Self.token(of: callers[0])
            )
            #expect(try await starter.caller.post("/v1/chats/\(chat)/shares").status == 201)
            #expect(try await phone.caller.post("/v1/chats/\(chat)/heartbeat").status == 204)
            while try await server.store.shares().first?.feeders.sources.count != 2 { await Task.yield() }
            try await callers[0].call(.delete, starter.path)
            #expect(try await Self.states(callers[1], chat) == ["started"])
            try await callers[0].call(.delete, phone.path)
            #expect(try await Self.states(callers[1], chat) == ["started", "stopped"])
            let shown = try await callers[1].get("/v1/chats/\(chat)/shares").text
            #expect(shown.contains(#""state":"ended","cause":"stopped""#), "\(shown)")
            server.wait(.seconds(1))
            let refused = try await callers[0].post("/v1/chats/\(chat)/messages", Self.position)
            #expect(refused.code == "shareEnded", "a position that names none is refused, too")
            #expect(try await callers[0].post("/v1/chats/\(chat)/shares").status == 201)
            #expect(try await callers[0].post("/v1/chats/\(chat)/messages", Self.position).status == 201)
        }
    }

    @Test func `a position that isn't kept feeds a share as one that is`() async throws {
        let server = try await TestServer()
        try await server.party("Ada", "Ben") { callers in
            let chat = try await callers[0].startChat(with: callers[1])
            #expect(try await callers[0].post("/v1/chats/\(chat)/shares").status == 201)
            let (kept, passed) = (try await Self.token(of: callers[0]), try await Self.token(of: callers[0]))
            #expect(try await kept.caller.post("/v1/chats/\(chat)/messages", Self.position).status == 201)
            let unkept = #"{"keep":false,\#(Self.position.dropFirst())"#
            let answer = try await passed.caller.post("/v1/chats/\(chat)/messages", unkept)
            #expect(answer.status == 201, "\(answer.text)")
            while try await server.store.shares().first?.feeders.sources.count != 3 { await Task.yield() }
        }
    }

    @Test func `a share ends with its session after ninety days, and goes on until then`() async throws {
        let server = try await TestServer()
        try await server.party("Ada", "Ben") { callers in
            let chat = try await callers[0].startChat(with: callers[1])
            let browser = try await callers[0].signedIn()
            #expect(try await browser.post("/v1/chats/\(chat)/shares").status == 201)
            server.wait(.seconds(90 * 86_400 - 1))
            try await server.assembly.accounts.tidy()
            #expect(try await Self.states(callers[1], chat) == ["started"])
            server.wait(.seconds(1))
            try await server.assembly.accounts.tidy()
            #expect(try await Self.states(callers[1], chat) == ["started", "stopped"])
        }
    }

    @Test(arguments: ["out", "others", "password", "disabled", "removed"])
    func `however a session ends, its share ends with it`(way: String) async throws {
        let server = try await TestServer()
        try await server.party("Ada", "Ben", "Cleo") { callers in
            let chat = try await callers[1].startChat(with: callers[0])
            let browser = try await callers[1].signedIn()
            #expect(try await browser.post("/v1/chats/\(chat)/shares").status == 201)
            let user = try #require(callers[1].user)
            let operating = try await callers[0].signedIn()
            let reply =
                switch way {
                case "out": try await browser.call(.delete, "/v1/session", "{}")
                case "others": try await callers[1].signedIn().call(.delete, "/v1/me/sessions", "{}")
                case "password":
                    try await callers[1].signedIn().call(
                        .put,
                        "/v1/me/password",
                        #"{"password":"correct horse"}"#
                    )
                case "disabled": try await operating.call(.patch, "/v1/users/\(user)", #"{"disabled":true}"#)
                default: try await operating.call(.delete, "/v1/users/\(user)", "{}")
                }
            #expect((200..<300).contains(reply.status), "\(way): \(reply.text)")
            #expect(try await Self.states(callers[0], chat) == ["started", "stopped"], "\(way)")
        }
    }
}
