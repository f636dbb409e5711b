import Foundation
import TestSupport
import YonderTracks

/// The files that Python made and read, and how tests read and damage such files.
enum FormatFixtures {
    static func bytes(_ name: String) throws -> [UInt8] {
        try RecordedTracks.file("Tests/Fixtures/formats/\(name)")
    }

    static func json(_ name: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(bytes(name)))
    }

    /// Reads a file in pieces; a length of `nil` is all at once.
    static func rows(
        _ bytes: [UInt8],
        limits: CSVReader.Limits = .init(),
        pieces: (() -> Int)? = nil
    ) -> [CSVReader.Record] {
        var reader = CSVReader(limits: limits)
        return cut(bytes, pieces).flatMap { reader.read($0) } + reader.finish()
    }

    /// Reads a file in pieces; a length of `nil` is all at once.
    static func features(
        _ bytes: [UInt8],
        featureLength: Int = GeoJSONReader.defaultFeatureLength,
        pieces: (() -> Int)? = nil
    ) -> [GeoJSONReader.Record] {
        var reader = GeoJSONReader(featureLength: featureLength)
        return cut(bytes, pieces).flatMap { reader.read($0) } + reader.finish()
    }

    private static func cut(_ bytes: [UInt8], _ length: (() -> Int)?) -> [[UInt8]] {
        guard let length else { return [bytes] }
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(length())
            pieces.append(Array(piece))
            rest = rest.dropFirst(piece.count)
        }
        return pieces
    }

    /// Changes, doubles and drops bytes, mostly with ones that mean something.
    static func damage(
        _ bytes: ArraySlice<UInt8>,
        with signs: String,
        using random: inout SeededGenerator
    ) -> [UInt8] {
        var bytes = Array(bytes)
        let signs = Array(signs.utf8)
        for _ in 0..<Int.random(in: 0...6, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes.remove(at: index)
            case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
            case 2: bytes[index] = signs.randomElement(using: &random) ?? 0
            case 3: bytes.insert(signs.randomElement(using: &random) ?? 0, at: index)
            case 4: bytes.removeSubrange(index..<min(bytes.count, index + 30))
            default: bytes.insert(contentsOf: bytes[index...].prefix(60), at: 0)
            }
        }
        return bytes
    }
}
