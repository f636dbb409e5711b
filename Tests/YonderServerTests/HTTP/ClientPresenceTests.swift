import Testing
import YonderModel

@testable import YonderServer

@Suite struct ClientPresenceTests {
    @Test func `work for a client that disconnects is cancelled`() async throws {
        let presence = ClientPresence()
        let wasCancelled = try await ClientPresence.$current.withValue(presence) {
            try await ClientPresence.whileThere { () async throws(SharingError) in
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
            try await ClientPresence.whileThere { () async throws(SharingError) in
                while !Task.isCancelled { await Task.yield() }
                return true
            }
        }
        #expect(wasCancelled)
    }

    @Test func `work for a connected client ends with its answer or its refusal`() async {
        await ClientPresence.$current.withValue(ClientPresence()) {
            let answer = try? await ClientPresence.whileThere { () async throws(SharingError) in 7 }
            #expect(answer == 7)
            let refusal = await #expect(throws: SharingError.self) {
                try await ClientPresence.whileThere { () async throws(SharingError) in throw .unknownEntity }
            }
            #expect(refusal?.code == .unknownEntity)
        }
    }
}
