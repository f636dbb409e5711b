import Testing

@testable import YonderTransport

@Suite struct ClientPresenceTests {
    private enum Refusal: Error { case closed }

    @Test func `work for a client that disconnects is cancelled`() async throws {
        let presence = ClientPresence()
        let wasCancelled = try await ClientPresence.$current.withValue(presence) {
            try await ClientPresence.whileThere { () async throws(Refusal) in
                presence.end()
                while !Task.isCancelled { await Task.yield() }
                return Task.isCancelled
            }
        }
        #expect(wasCancelled)
    }

    @Test func `work for a client that has disconnected is cancelled from the start`() async throws {
        let presence = ClientPresence()
        presence.end()
        let wasCancelled = try await ClientPresence.$current.withValue(presence) {
            try await ClientPresence.whileThere { () async throws(Refusal) in
                while !Task.isCancelled { await Task.yield() }
                return true
            }
        }
        #expect(wasCancelled)
    }

    @Test func `work for a connected client ends with its answer or its refusal`() async {
        await ClientPresence.$current.withValue(ClientPresence()) {
            let answer = try? await ClientPresence.whileThere { () async throws(Refusal) in 7 }
            #expect(answer == 7)
            let refusal = await #expect(throws: Refusal.self) {
                try await ClientPresence.whileThere { () async throws(Refusal) in throw Refusal.closed }
            }
            #expect(refusal == .closed)
        }
    }
}
