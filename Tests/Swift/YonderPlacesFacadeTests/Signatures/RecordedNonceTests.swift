import Synchronization
import Testing
import YonderModel
import YonderRules

@testable import YonderPlacesFacade

struct RecordedNonceTests {
    @Test func `a request that one server took is refused by every other that records in the same place`()
        async throws
    {
        let server = try await FacadeServer()
        try await server.run { client in
            let used = Mutex<Set<[UInt8]>>([])
            let record: NonceRecord = { mark, _ throws(SharingError) in
                used.withLock { $0.insert(mark).inserted }
            }
            var sent: [(String, String)] = []
            let reply = try await client.call("POST", "/place", [("set-name", "A")], spoil: { sent = $0 })
            #expect(reply.status == "Success")
            server.wait(.milliseconds(1))
            // These servers started after the request was signed.
            #expect(await SignatureTests.refusal(of: sent, "POST", restarted: server, record) == nil)
            #expect(
                await SignatureTests.refusal(of: sent, "POST", restarted: server, record)?.status
                    == .usedNonce
            )
            let away: NonceRecord = { _, _ throws(SharingError) in throw SharingError(.unavailable, "away") }
            #expect(
                await SignatureTests.refusal(of: sent, "POST", restarted: server, away)?.status
                    == .unavailable
            )
        }
    }
}
