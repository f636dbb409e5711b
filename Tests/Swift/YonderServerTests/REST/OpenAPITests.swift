import Foundation
import HTTPTypes
import Testing
import YonderREST
import YonderServer

/// Holds the description in openapi.yaml and the router to each other.
///
/// What an answer looks like is checked by Tests/Python/Foreign.
@Suite struct OpenAPITests {
    @Test func `every endpoint is described, and none that isn't there`() async throws {
        let server = try await TestServer()
        let described = try Self.described()
        let registered = Set(
            server.assembly.routes.filter { Self.isDescribed($0.path) }.map {
                "\($0.method.rawValue) \($0.path)"
            }
        )
        #expect(described.subtracting(registered).isEmpty)
        #expect(registered.subtracting(described).isEmpty)
        #expect(registered.count > 25)
    }

    /// The page's own files are no part of the description.
    private static func isDescribed(_ path: String) -> Bool {
        ["/v1/", "/tiles/", "/health", "/ready", "/metrics"].contains { path.hasPrefix($0) }
    }

    /// Methods and paths by their indentation: all that this needs of YAML.
    private static func described() throws -> Set<String> {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../../Documentation/openapi.yaml").standardizedFileURL
        var found: Set<String> = []
        var path = ""
        for line in try String(contentsOf: page, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix("  /") { path = String(line.dropFirst(2).dropLast()) }
            let method = line.dropFirst(4).dropLast()
            let isMethod = ["get", "post", "put", "patch", "delete"].contains(String(method))
            if line.hasPrefix("    "), line.hasSuffix(":"), isMethod {
                found.insert("\(method.uppercased()) \(path)")
            }
        }
        return found
    }
}
