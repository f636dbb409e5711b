import Testing

@testable import YonderPlacesFacade

struct KeyTrialTests {
    @Test func `a client tries its key at api-test, which changes nothing`() async throws {
        let server = try await FacadeServer()
        try await server.run { client in
            for signer in [server.writing, server.reading] {
                let reply = try await client.call("GET", "/test", by: signer, root: "")
                #expect(reply.code == 200 && reply.text == #"{"status":"Success"}"#)
            }
            let whole = try await client.call("GET", "/test", signedPath: "/api/test", root: "")
            #expect(whole.code == 200)
            let unsigned = try await client.send("GET", "/test", root: "")
            #expect(unsigned.code == 400 && unsigned.status == "MissingApiKey")
            let more = try await client.call("GET", "/test", [("q", "x")], root: "")
            #expect(more.code == 400 && more.status == "UnknownParameter")
            // Some of them remove or change what a test of the key hasn't.
            for wrong in SignatureTests.wrongs
            where !["changed", "removed"].contains(where: wrong.testDescription.hasSuffix) {
                let reply = try await client.call(
                    "GET",
                    "/test",
                    root: "",
                    change: wrong.change,
                    spoil: wrong.spoil
                )
                #expect(reply.code == 400 && reply.status == wrong.status, "\(wrong.testDescription)")
            }
        }
    }
}
