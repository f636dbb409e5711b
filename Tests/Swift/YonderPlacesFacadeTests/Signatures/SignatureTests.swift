import Foundation
import HTTPTypes
import Testing
import YonderAccounts
import YonderGeodesy
import YonderModel
import YonderRules
import YonderServer

@testable import YonderPlacesFacade

struct SignatureTests {
    typealias Parameters = [(String, String)]

    /// A request with something wrong, and what it is refused with.
    struct Wrong: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let status: String
        var change: @Sendable (inout Parameters) -> Void = { _ in }
        var spoil: @Sendable (inout Parameters) -> Void = { _ in }
    }

    private static func without(_ name: String) -> @Sendable (inout Parameters) -> Void {
        { parameters in parameters.removeAll { $0.0 == name } }
    }

    private static func with(_ name: String, _ value: String) -> @Sendable (inout Parameters) -> Void {
        { parameters in parameters = parameters.map { $0.0 == name ? (name, value) : $0 } }
    }

    static let wrongs = [
        Wrong(testDescription: "without a key", status: "MissingApiKey", change: without("key")),
        Wrong(testDescription: "with an unknown key", status: "InvalidApiKey", change: with("key", "nobody")),
        Wrong(testDescription: "with another key", status: "InvalidSignature", spoil: with("key", "reader")),
        Wrong(testDescription: "without a nonce", status: "MissingNonce", change: without("nonce")),
        Wrong(
            testDescription: "with a short nonce",
            status: "InvalidNonce",
            change: with("nonce", String(repeating: "a", count: 29))
        ),
        Wrong(
            testDescription: "with a long nonce",
            status: "InvalidNonce",
            change: with("nonce", String(repeating: "a", count: 43))
        ),
        Wrong(
            testDescription: "with a nonce beyond ASCII",
            status: "InvalidNonce",
            change: with("nonce", String(repeating: "é", count: 15))
        ),
        Wrong(
            testDescription: "with another nonce",
            status: "InvalidSignature",
            spoil: with("nonce", String(repeating: "a", count: 36))
        ),
        Wrong(testDescription: "without a time", status: "MissingTime", change: without("time")),
        Wrong(testDescription: "with words for a time", status: "InvalidTime", change: with("time", "now")),
        Wrong(
            testDescription: "with a fraction",
            status: "InvalidTime",
            change: with("time", "1764000000.5")
        ),
        Wrong(
            testDescription: "with a time beyond all clocks",
            status: "InvalidTime",
            change: with("time", "99999999999999999999")
        ),
        Wrong(
            testDescription: "with a time five minutes and a millisecond ago",
            status: "ExpiredTime",
            change: with("time", "1763999699999")
        ),
        Wrong(
            testDescription: "with a time five minutes and a millisecond ahead",
            status: "ExpiredTime",
            change: with("time", "1764000300001")
        ),
        Wrong(
            testDescription: "with another time",
            status: "InvalidSignature",
            spoil: with("time", "1764000000001")
        ),
        Wrong(
            testDescription: "without a signature",
            status: "MissingSignature",
            spoil: without("signature")
        ),
        Wrong(
            testDescription: "with an empty signature",
            status: "MissingSignature",
            spoil: with("signature", "")
        ),
        Wrong(
            testDescription: "with a signature of the right length",
            status: "InvalidSignature",
            spoil: with("signature", "ipzB9/s8GthdC4e6JVv5EwUOm6Y=")
        ),
        Wrong(
            testDescription: "with more behind the signature",
            status: "InvalidSignature",
            spoil: { parameters in
                parameters = parameters.map { $0.0 == "signature" ? ($0.0, $0.1 + "xxxx") : $0 }
            }
        ),
        Wrong(
            testDescription: "with a parameter changed",
            status: "InvalidSignature",
            spoil: with("set-name", "Another")
        ),
        Wrong(
            testDescription: "with a parameter added",
            status: "InvalidSignature",
            spoil: { $0.append(("set-rating", "5")) }
        ),
        Wrong(
            testDescription: "with a parameter removed",
            status: "InvalidSignature",
            spoil: without("set-name")
        ),
        Wrong(
            testDescription: "with a parameter repeated",
            status: "InvalidSignature",
            spoil: { $0.append(("set-name", "Café")) }
        ),
        Wrong(
            testDescription: "with a second signature",
            status: "RepeatedParameter",
            spoil: { $0.append(("signature", "x")) }
        ),
        Wrong(
            testDescription: "with a second key",
            status: "RepeatedParameter",
            spoil: { $0.append(("key", "writer")) }
        ),
    ]

    @Test(arguments: wrongs)
    func `a request is refused`(wrong: Wrong) async throws {
        let server = try await FacadeServer()
        try await server.run { client in
            let reply = try await client.call(
                "POST",
                "/place",
                [("set-name", "Café")],
                change: wrong.change,
                spoil: wrong.spoil
            )
            #expect(reply.status == wrong.status && reply.code == 400)
            #expect(try await client.call("GET", "/place").count == 0)
        }
    }

    @Test func `an unsigned write is refused, whoever may read`() async throws {
        let server = try await FacadeServer(readers: .anyone)
        try await server.run { client in
            let id = try await client.make("Café")
            for (method, path) in [
                ("POST", "/place"), ("PUT", "/place/\(id)"), ("DELETE", "/place/\(id)"), ("POST", "/nothing"),
            ] {
                let reply = try await client.send(method, path, [("set-name", "x")])
                #expect(reply.status == "MissingApiKey")
            }
            #expect(try await client.send("GET", "/place/\(id)").object(id)["name#t"] as? String == "Café")
        }
    }

    @Test func `public objects need no signature, and hidden ones look like missing ones`()
        async throws
    {
        let open = try await FacadeServer(readers: .anyone)
        try await open.run { client in
            let id = try await client.make("Café", at: "1,2")
            #expect(try await client.send("GET", "/place").names == ["Café"])
            #expect(try await client.send("GET", "/place/\(id)").status == "Success")
            let near = try await client.send("GET", "/place/near/at", [("lat", "1"), ("lon", "2")])
            #expect(near.names == ["Café"])
            #expect(try await client.send("GET", "/nothing").status == "MissingApiKey")
        }
        let closed = try await FacadeServer(readers: .members)
        try await closed.run { client in
            let id = try await client.make("Café")
            for path in ["/place", "/place/\(id)", "/place/near/at", "/place/bounding/at", "/nothing"] {
                let reply = try await client.send("GET", path)
                #expect(reply.status == "MissingApiKey" && reply.code == 400)
            }
        }
    }

    @Test func `a key that reads acts as a member, one that writes as an owner`() async throws {
        let members = try await FacadeServer()
        try await members.run { client in
            let id = try await client.make("Café")
            #expect(try await client.call("GET", "/place", by: members.reading).names == ["Café"])
            for (method, path) in [("POST", "/place"), ("PUT", "/place/\(id)"), ("DELETE", "/place/\(id)")] {
                let sent = method == "DELETE" ? [] : [("set-name", "x")]
                let reply = try await client.call(method, path, sent, by: members.reading)
                #expect(reply.status == "NotAllowed" && reply.code == 403)
            }
        }
        let owners = try await FacadeServer(readers: .owners)
        try await owners.run { client in
            try await client.make("Café")
            let reply = try await client.call("GET", "/place", by: owners.reading)
            #expect(reply.status == "EntityNotFound" && reply.code == 404)
        }
    }

    @Test func `a signature is good with the path that the client's base address leaves, and with the whole`()
        async throws
    {
        let server = try await FacadeServer()
        try await server.run { client in
            #expect(try await client.call("GET", "/place", signedPath: "/data/place").status == "Success")
            #expect(try await client.call("GET", "/place", signedPath: "/api/data/place").status == "Success")
            #expect(try await client.call("GET", "/place/", signedPath: "/data/place/").status == "Success")
            for path in ["/data/place/", "/place", "/data/other", ""] {
                let reply = try await client.call("GET", "/place", signedPath: path)
                #expect(reply.status == "InvalidSignature", "\(path)")
            }
        }
    }

    @Test func `a signature for one method isn't good for another`() async throws {
        let server = try await FacadeServer()
        try await server.run { client in
            let id = try await client.make("Café")
            let reply = try await client.call(
                "GET",
                "/place/\(id)",
                spoil: { $0.append(("_method", "DELETE")) }
            )
            #expect(reply.status == "InvalidSignature")
            #expect(try await client.call("GET", "/place/\(id)").status == "Success")
        }
    }

    @Test func `a nonce is good once, for each key by itself`() async throws {
        let server = try await FacadeServer()
        try await server.run { client in
            let nonce = UUID().uuidString
            #expect(
                try await client.call("GET", "/place", change: Self.with("nonce", nonce)).status == "Success"
            )
            #expect(
                try await client.call("GET", "/place", change: Self.with("nonce", nonce)).status
                    == "UsedNonce"
            )
            let other = try await client.call(
                "GET",
                "/place",
                by: server.reading,
                change: Self.with("nonce", nonce)
            )
            #expect(other.status == "Success")
            server.wait(.seconds(299))
            #expect(
                try await client.call("GET", "/place", change: Self.with("nonce", nonce)).status
                    == "UsedNonce"
            )
        }
    }

    @Test func `a request sent twice is taken once, as long as its time is good`() async throws {
        let server = try await FacadeServer()
        try await server.run { (client: FacadeClient) async throws in
            let ahead = server.now + .seconds(300)
            let nonce = UUID().uuidString
            #expect(try await Self.post(client, nonce, ahead).code == 201)
            for _ in 0..<10 {
                #expect(try await Self.post(client, nonce, ahead).status == "UsedNonce")
                server.wait(.seconds(60))
            }
            server.wait(.milliseconds(1))
            #expect(try await Self.post(client, nonce, ahead).status == "ExpiredTime")
            #expect(try await client.call("GET", "/place").count == 1)
        }
    }

    private static func post(_ client: FacadeClient, _ nonce: String, _ time: Timestamp) async throws
        -> FacadeReply
    {
        try await client.call("POST", "/place", [("set-name", "A")]) { parameters in
            with("nonce", nonce)(&parameters)
            with("time", "\(time.milliseconds)")(&parameters)
        }
    }

    @Test func `after a restart what was written before can't be sent again, and what was read can`()
        async throws
    {
        let server = try await FacadeServer()
        try await server.run { client in
            for (method, status) in [("POST", FacadeStatus.expiredTime), ("GET", nil)] {
                var sent: [(String, String)] = []
                let name = method == "POST" ? [("set-name", "A")] : []
                let first = try await client.call(method, "/place", name, spoil: { sent = $0 })
                #expect(first.status == "Success")
                server.wait(.milliseconds(1))
                let again = await Self.refusal(of: sent, method, restarted: server)
                #expect(again?.status == status)
            }
        }
    }

    /// What a server that has just started says of a request.
    static func refusal(
        of parameters: [(String, String)],
        _ method: String,
        restarted server: FacadeServer,
        _ record: NonceRecord? = nil
    ) async -> FacadeRefusal? {
        let signatures = Signatures(
            keys: server.store,
            nonces: NonceMemory(),
            record: record,
            attempts: AttemptLimiter(),
            now: { server.now }
        )
        do throws(FacadeRefusal) {
            _ = try await signatures.caller(
                of: FormParameters(parameters.map { .init(name: $0.0, value: $0.1) }),
                method: method,
                paths: ["/data/place"],
                network: ""
            )
            return nil
        } catch {
            return error
        }
    }

    @Test func `a refused signature doesn't use up the nonce`() async throws {
        let server = try await FacadeServer()
        try await server.run { client in
            let nonce = UUID().uuidString
            let wrong = try await client.call(
                "GET",
                "/place",
                change: Self.with("nonce", nonce),
                spoil: Self.with("signature", "x")
            )
            #expect(wrong.status == "InvalidSignature")
            #expect(
                try await client.call("GET", "/place", change: Self.with("nonce", nonce)).status == "Success"
            )
        }
    }

    @Test func `the memory of nonces is bounded, and further requests are asked to wait`() async throws {
        let server = try await FacadeServer(nonces: NonceMemory(capacity: 3, perKey: 2))
        try await server.run { client in
            for _ in 0..<2 { #expect(try await client.call("GET", "/place").status == "Success") }
            let refused = try await client.call("GET", "/place")
            #expect(refused.status == "TooManyRequests" && refused.code == 429)
            #expect(refused.headers[.retryAfter] == "60")
            #expect(try await client.call("GET", "/place", by: server.reading).status == "Success")
            #expect(try await client.call("GET", "/place", by: server.reading).status == "TooManyRequests")
            server.wait(.seconds(400))
            #expect(try await client.call("GET", "/place").status == "Success")
        }
    }

    @Test func `wrong signatures count as attempts to sign in, right ones don't`() async throws {
        let allowance = RateLimit(burst: 3, interval: .seconds(10))
        let server = try await FacadeServer(attempts: AttemptLimiter(perAddress: allowance))
        try await server.run { client in
            for _ in 0..<10 { #expect(try await client.call("GET", "/place").status == "Success") }
            for status in ["InvalidSignature", "InvalidSignature", "InvalidSignature", "TooManyRequests"] {
                let reply = try await client.call("GET", "/place", spoil: Self.with("signature", "x"))
                #expect(reply.status == status)
            }
            server.wait(.seconds(10))
            #expect(try await client.call("GET", "/place").status == "Success")
        }
    }

    @Test func `a key that was removed is unknown from then on`() async throws {
        let server = try await FacadeServer()
        try await server.run { client in
            #expect(try await client.call("GET", "/place").status == "Success")
            try await server.removeKey("writer")
            #expect(try await client.call("GET", "/place").status == "InvalidApiKey")
        }
    }

    @Test func `lists are signed by their values in order, whatever brackets their names have`() async throws
    {
        let server = try await FacadeServer()
        try await server.run { client in
            try await client.make("A", [("set-rating", "4")])
            for name in ["params", "params[]"] {
                let query = [("q", "where rating > ? and rating < ?"), (name, "3"), (name, "10")]
                let reply = try await client.call("GET", "/place", query)
                #expect(reply.names == ["A"])
            }
        }
    }
}
