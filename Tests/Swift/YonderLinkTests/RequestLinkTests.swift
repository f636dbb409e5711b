import Foundation
import NIOCore
import Testing
import YonderModel

@testable import YonderLink

@Suite(.timeLimit(.minutes(20))) struct RequestLinkTests {
    private static let request = LinkRequest(.get, "/v1/session", limit: 1_000)

    private static func link(
        _ url: String,
        silence: TimeAmount = .seconds(40),
        deadline: TimeAmount = .minutes(5)
    ) throws
        -> NetworkRequestLink
    {
        var settings = try NetworkSettings(try ServerAddress(url), certificateAuthority: nil)
        settings.silence = silence
        settings.deadline = deadline
        return NetworkRequestLink(settings)
    }

    private static func sized(_ body: String, _ status: String = "200 OK", _ fields: String = "") -> String {
        "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)"
    }

    @Test func `answers come sized and chunked over one connection, with their fields`() async throws {
        let chunked =
            "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
        try await ScriptedServer.running([
            .write(Self.sized("one")), .write(chunked), .write(Self.sized("", "204 No Content")),
        ]) {
            server,
            url in
            let link = try Self.link(url + "/prefix")
            #expect(try await link.answer(to: Self.request).body == Array("one".utf8))
            let post = LinkRequest(.post, "/v1/x", headers: [LinkHeader("X-Y", "z")], body: Array("{}".utf8))
            let answer = try await link.answer(to: post)
            #expect(answer.status == 201 && answer.body == Array("abcde".utf8))
            #expect(answer.values("set-cookie") == ["a=1", "b=2"])
            #expect(try await link.answer(to: LinkRequest(.delete, "/v1/x")).status == 204)
            #expect(server.connections == 1)
            #expect(server.requests[0].hasPrefix("GET /prefix/v1/session HTTP/1.1\r\n"))
            #expect(server.requests[1].hasSuffix("\n\n{}") && server.requests[1].contains("X-Y: z"))
            #expect(server.requests[2].lowercased().contains("content-length: 0"))
        }
    }

    @Test func `a redirect is an answer, and isn't followed`() async throws {
        let moved = Self.sized("", "302 Found", "Location: http://127.0.0.1:1/elsewhere\r\n")
        try await ScriptedServer.running([.write(moved)]) { server, url in
            let link = try Self.link(url)
            #expect(try await link.answer(to: Self.request).status == 302)
            #expect(server.requests.count == 1)
        }
    }

    @Test func `a connection that the server closed as it rested is replaced, for what may be asked twice`()
        async throws
    {
        for method in [LinkRequest.Method.get, .put, .delete, .post, .patch] {
            try await ScriptedServer.running([
                .write(Self.sized("one")), .writeAndClose(""), .write(Self.sized("two")),
            ]) {
                server,
                url in
                let link = try Self.link(url)
                _ = try await link.answer(to: Self.request)
                let second = LinkRequest(method, "/v1/x")
                if method.isRepeatable {
                    #expect(try await link.answer(to: second).body == Array("two".utf8))
                } else {
                    await #expect(throws: LinkClosure.self) { try await link.answer(to: second) }
                }
                #expect(server.requests.count == (method.isRepeatable ? 3 : 2))
            }
        }
    }

    @Test func `a GET that may not be sent again isn't, after a kept connection failed`() async throws {
        try await ScriptedServer.running([.write(Self.sized("one")), .writeAndClose("")]) { server, url in
            let link = try Self.link(url)
            _ = try await link.answer(to: Self.request)
            var poll = Self.request
            poll.isRepeatable = false
            await #expect(throws: LinkClosure.self) { try await link.answer(to: poll) }
            #expect(server.requests.count == 2)
        }
    }

    @Test func `an answer that breaks off isn't asked for again, and is none`() async throws {
        let half = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"
        try await ScriptedServer.running([.write(Self.sized("one")), .writeAndClose(half)]) { server, url in
            let link = try Self.link(url)
            _ = try await link.answer(to: Self.request)
            await #expect(throws: LinkClosure.self) { try await link.answer(to: Self.request) }
            #expect(server.requests.count == 2)
        }
    }

    @Test func `an answer over the limit is none, whether it says its length or not`() async throws {
        let long = String(repeating: "x", count: 1_001)
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n\(long)\r\n0\r\n\r\n"
        for answer in [Self.sized(long), chunked] {
            try await ScriptedServer.running([.write(answer)]) { _, url in
                let link = try Self.link(url)
                let error = await #expect(throws: LinkClosure.self) {
                    try await link.answer(to: Self.request)
                }
                #expect(error == .lost("The answer is longer than 1000 bytes."))
            }
        }
    }

    @Test func `a server that says nothing, or not everything, is given up`() async throws {
        for step in [ScriptedServer.Step.silence, .write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx")] {
            for (silence, deadline) in [
                (TimeAmount.milliseconds(50), TimeAmount.hours(1)), (.hours(1), .milliseconds(50)),
            ] {
                try await ScriptedServer.running([step]) { _, url in
                    let link = try Self.link(url, silence: silence, deadline: deadline)
                    await #expect(throws: LinkClosure.self) { try await link.answer(to: Self.request) }
                }
            }
        }
    }

    @Test func `a canceled task's request ends`() async throws {
        try await ScriptedServer.running([.silence]) { server, url in
            let link = try Self.link(url)
            let asking = Task { try await link.answer(to: Self.request) }
            while server.requests.isEmpty { await Task.yield() }
            asking.cancel()
            await #expect(throws: LinkClosure.self) { try await asking.value }
        }
    }

    @Test func `nobody there is no answer`() async throws {
        let url = try await ScriptedServer.running([]) { _, url in url }
        let link = try Self.link(url)
        await #expect(throws: LinkClosure.self) { try await link.answer(to: Self.request) }
    }

    @Test(
        arguments: [
            (200, nil, "Cookie", nil), (503, "7", "Cookie", nil), (500, nil, nil, nil), (429, "60", nil, nil),
            (401, nil, "Authorization", SharingError.Code.invalidCredentials),
            (401, nil, "Cookie", .notSignedIn), (401, nil, nil, .notSignedIn),
            (403, nil, "Cookie", .notAllowed),
        ] as [(Int, String?, String?, SharingError.Code?)]
    )
    func `the answer to who is signed in says why a stream was refused`(
        _ status: Int,
        _ wait: String?,
        _ identity: String?,
        _ code: SharingError.Code?
    ) {
        let headers = wait.map { [LinkHeader("Retry-After", $0)] } ?? []
        let unknown = identity == "Authorization" ? "invalidCredentials" : "notSignedIn"
        let refused = status == 403 ? "notAllowed" : unknown
        let refusal = #"{"error":{"code":"\#(refused)","message":"No."}}"#
        let answer = LinkAnswer(status: status, headers: headers, body: Array(refusal.utf8))
        switch LinkClosure(refusedAs: answer, for: identity.map { [LinkHeader($0, "x")] } ?? []) {
        case .refused(let error): #expect(error.code == code)
        case .later(let time, _):
            #expect(code == nil && wait.flatMap { Int64($0) }.map { .seconds($0) } == time)
        case .lost: #expect(code == nil && wait == nil)
        }
    }

    @Test(
        arguments: [401, 403],
        ["", "<html>Sign in to this network</html>", #"{"error":"proxy"}"#, #"{"error":{}}"#]
    )
    func `a refusal that isn't the server's own ends no session`(_ status: Int, _ body: String) {
        let answer = LinkAnswer(status: status, body: Array(body.utf8))
        guard case .lost = LinkClosure(refusedAs: answer, for: [LinkHeader("Cookie", "x")]) else {
            return #expect(Bool(false), "\(status) \(body)")
        }
    }

    @Test func `a refusal has its code, its words and its wait`() {
        let body =
            #"{"error":{"more":[1],"code":"tooMany\u0052equests","message":"Ä","retryAfter":1500}, "x":0}"#
        var answer = LinkAnswer(
            status: 429,
            headers: [LinkHeader("Retry-After", "2")],
            body: Array(body.utf8)
        )
        #expect(answer.refusal == SharingError(.tooManyRequests, "Ä", retryAfter: .milliseconds(1_500)))
        answer.body = Array(#"{"error":{"code":"tooManyRequests","message":"Ä"}}"#.utf8)
        #expect(answer.refusal?.retryAfter == .seconds(2))
        answer.body += Array("{}".utf8)
        #expect(answer.refusal == nil)
    }

    @Test func `a stream that the server doesn't upgrade is followed by one question with the same headers`()
        async throws
    {
        let body = #"{"error":{"code":"notSignedIn","message":"No."}}"#
        let refusal = Self.sized(body, "401 Unauthorized")
        try await ScriptedServer.running([.writeAndClose(refusal), .write(refusal)]) { server, url in
            let links = try Links(server: url, certificateAuthority: nil)
            let open = links.stream(as: try TokenIdentity("abc"))
            let error = await #expect(throws: LinkClosure.self) { try await open() }
            guard case .refused(let refused)? = error else {
                return #expect(Bool(false), "\(String(describing: error))")
            }
            #expect(refused.code == .invalidCredentials)
            #expect(
                server.requests.map { String($0.prefix { $0 != "\r\n" }) } == [
                    "GET /v1/stream HTTP/1.1", "GET /v1/session HTTP/1.1",
                ]
            )
            #expect(server.requests.allSatisfy { $0.contains("Authorization: Bearer abc") })
        }
    }
}
