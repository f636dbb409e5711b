#if Postgres
import Foundation
import Testing

@Suite(.enabled(if: DatabaseServer.programs != nil, "PostgreSQL isn't installed"))
struct DatabaseServerTests {
    @Test func `a server of the tests writes through to the disk, and listens on the loopback address alone`()
        async throws
    {
        let server = try DatabaseServer()
        #expect(try await server.run("SHOW fsync") == ["on"])
        #expect(try await server.run("SHOW listen_addresses") == ["127.0.0.1"])
        #expect(try await server.run("SHOW unix_socket_directories") == [""])
        try server.end()
    }

    @Test func `a server ends with the process that started it, and its folder is removed`() async throws {
        let server = try DatabaseServer()
        #expect(FileManager.default.fileExists(atPath: server.folder))
        try server.end()
        #expect(!FileManager.default.fileExists(atPath: server.folder))
        await #expect(throws: DatabaseServer.Failure.self) { try await server.run("SELECT 1") }
    }
}
#endif
