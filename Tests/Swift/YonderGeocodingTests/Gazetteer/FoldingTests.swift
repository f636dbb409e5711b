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

    /// Foundation decomposes by its own version of Unicode, whose latest characters the table may not have.
    @Test func `a character folds as its compatibility decomposition does`() {
        var differing: [String] = []
        for scalar in (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init) {
            guard let age = scalar.properties.age, age.major < 14 else { continue }
            let decomposition = String(scalar).decomposedStringWithCompatibilityMapping
            let marked = "a\(scalar)b", plain = "a\(decomposition)b"
            if Folding.words(marked) != Folding.words(plain) {
                differing.append(String(scalar.value, radix: 16))
            }
        }
        #expect(differing.isEmpty)
    }
}

/// The repository's root.
let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
