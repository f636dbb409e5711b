import Foundation
import Testing

/// The recorded tracks that come with the program.
enum RecordedTracks {
    static let names = ["Mojstrovka", "cerknicko-jezero", "korita-zbevnica"]

    static func bytes(_ name: String) throws -> [UInt8] {
        var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        while folder.path != "/" {
            let file = folder.appendingPathComponent("Data/tracks/\(name).gpx")
            if let data = FileManager.default.contents(atPath: file.path) { return Array(data) }
            folder.deleteLastPathComponent()
        }
        throw CocoaError(.fileNoSuchFile)
    }
}
