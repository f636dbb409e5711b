import Foundation
import Testing

/// The recorded tracks that come with the program.
enum RecordedTracks {
    static let names = ["Mojstrovka", "cerknicko-jezero", "korita-zbevnica"]

    /// A recorded track of the program's.
    static func bytes(_ name: String) throws -> [UInt8] {
        try file("Tests/Fixtures/tracks/\(name).gpx")
    }

    /// A file of the repository, wherever the tests were compiled.
    static func file(_ path: String) throws -> [UInt8] {
        var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        while folder.path != "/" {
            let file = folder.appendingPathComponent(path)
            if let data = FileManager.default.contents(atPath: file.path) { return Array(data) }
            folder.deleteLastPathComponent()
        }
        throw CocoaError(.fileNoSuchFile)
    }
}
