import Foundation
import YonderGeodesy

/// Recorded files of the repository, wherever the tests were compiled.
enum Fixtures {
    static let captures = ["garmin-10x", "haicom-305N", "humminbird-M37", "motorola-t805"]
    static let logs = captures + ["bundg_zeus_9"]

    static func path(_ name: String) throws -> String {
        var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        while folder.path != "/" {
            let file = folder.appendingPathComponent("Tests/Fixtures/\(name)")
            if FileManager.default.fileExists(atPath: file.path) { return file.path }
            folder.deleteLastPathComponent()
        }
        throw CocoaError(.fileNoSuchFile)
    }

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
    }

    /// The lines of what gpsd told a client.
    static func capture(_ name: String) throws -> [[UInt8]] {
        try bytes("gpsd/\(name).json-lines").split(separator: 0x0A).map(Array.init)
    }
}

/// What a position says but for its time, which gpsd gets wrong for old logs.
struct Place: Hashable, CustomStringConvertible {
    var latitude: Double
    var longitude: Double
    var altitude: Double?
    var speed: Double?
    var course: Double?

    init(_ position: Position) {
        latitude = position.coordinate.latitude
        longitude = position.coordinate.longitude
        altitude = position.altitude?.meters
        speed = position.speed?.metersPerSecond
        course = position.course?.degrees
    }

    /// The place that a report of gpsd's tells, read by Foundation, or `nil` if it tells none.
    init?(gpsd line: [UInt8]) throws {
        let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] ?? [:]
        guard object["class"] as? String == "TPV", object["mode"] as? Int ?? 0 >= 2,
            let latitude = object["lat"] as? Double, let longitude = object["lon"] as? Double
        else { return nil }
        self.latitude = latitude
        self.longitude = longitude
        altitude = object["altMSL"] as? Double
        speed = object["speed"] as? Double
        course = object["track"] as? Double
    }

    var description: String {
        "\(latitude),\(longitude) \(altitude.map { "\($0)" } ?? "-") \(speed.map { "\($0)" } ?? "-") "
            + (course.map { "\($0)" } ?? "-")
    }
}
