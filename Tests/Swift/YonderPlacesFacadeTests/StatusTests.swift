import Foundation
import HTTPTypes
import Testing
import YonderModel

@testable import YonderPlacesFacade

struct StatusTests {
    @Test func `every status stands in the documentation with its HTTP status, and no other one does`() throws
    {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Documentation/places-facade.md").standardizedFileURL
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        let row = /^\| `([A-Z]\w+)` \| (\d+) \|/
        let described = lines.compactMap { try? row.firstMatch(in: $0)?.output }.map { "\($0.1) \($0.2)" }
        let statuses = FacadeStatus.all.map { "\($0.name) \($0.code.code)" }
        #expect(described == statuses)
    }

    @Test func `a refusal by the rules has a name of its own`() {
        #expect(FacadeStatus(.unknownEntity) == .entityNotFound)
        #expect(FacadeStatus(.unknownObject) == .objectNotFound)
        #expect(FacadeStatus(SharingError.Code("somethingNew")) == .internalError)
    }
}
