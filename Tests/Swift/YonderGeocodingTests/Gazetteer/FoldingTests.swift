import Foundation
import Testing

@testable import YonderGeocoding

@Suite struct FoldingTests {
    /// One line of the file that Scripts/build-gazetteer is tried on as well.
    struct Vector: Sendable, CustomTestStringConvertible {
        let text: String
        let words: [String]

        var testDescription: String { text.debugDescription }

        static let all: [Vector] = lines.compactMap { line in
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard parts.count == 2,
                let text = try? JSONDecoder().decode(String.self, from: Data(parts[0].utf8))
            else { return nil }
            return Vector(text: text, words: parts[1].split(separator: " ").map(String.init))
        }

        static let lines: [Substring] = {
            let file = repository.appending(path: "Tests/Fixtures/gazetteer/folding.tsv")
            let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            return text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        }()
    }

    @Test func `every line of the vectors can be read`() {
        #expect(Vector.all.count == Vector.lines.count && Vector.all.count > 40)
    }

    @Test(arguments: Vector.all) func `a text folds as the builder of the gazetteer folds it`(vector: Vector)
    {
        #expect(
            Folding.words(vector.text).map { Array($0.unicodeScalars) }
                == vector.words.map { Array($0.unicodeScalars) }
        )
    }
}

/// The repository's root.
let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
