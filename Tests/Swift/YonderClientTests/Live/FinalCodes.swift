import Foundation

/// The final codes that the page has, too: `Tests/Fixtures/refusals/final.json`.
enum FinalCodes {
    static func fixture() throws -> Set<String> {
        let file = URL(filePath: #filePath).appending(path: "../../../../Fixtures/refusals/final.json")
            .standardized
        return Set(
            try JSONDecoder().decode([String: [String]].self, from: Data(contentsOf: file))["final"] ?? []
        )
    }
}
