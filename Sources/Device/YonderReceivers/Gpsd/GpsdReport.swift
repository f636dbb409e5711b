import YonderGeodesy
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A line from gpsd, as far as this module needs it.
///
/// As described in gpsd_json(5). A missing attribute is unknown; other classes and attributes are skipped.
///
/// `GpsdConversation` reads each line with it; a line that gives `nil` is skipped. Nothing throws or traps. A further class
/// or attribute is a case or a member here, optional, because gpsd's versions differ: 3.20 renamed the altitude, for example.
/// Names and units are gpsd's and must stay (`GpsdReportTests`, `Tests/Fixtures/gpsd`).
enum GpsdReport: Hashable, Sendable {
    /// The greeting, with the protocol's major number.
    case version(protocol: Int?)

    /// All receivers that gpsd knows.
    case devices([Device])

    /// One receiver, found or gone.
    case device(Device)

    /// The answer to WATCH.
    case watch

    /// Time, position and velocity.
    case fix(Fix)

    /// The orientation of the device.
    case attitude(Attitude)

    /// The satellites in view.
    case sky

    /// An error message.
    case error(String)

    /// A report of another class.
    case other(String)

    /// A receiver.
    struct Device: Hashable, Sendable {
        /// Its path or address.
        var path: String?

        /// Whether the receiver was switched off or has vanished.
        var isGone: Bool
    }

    /// Time, position and velocity.
    ///
    /// Heights and errors are in meters, angles in degrees, speed in meters per second.
    struct Fix: Hashable, Sendable, Decodable {
        var device: String?
        /// 0 and 1 mean no fix; 2 and 3 are the dimensions of a fix.
        var mode: Int?
        var time: String?
        var lat: Double?
        var lon: Double?
        /// Above mean sea level.
        var altMSL: Double?
        /// Above mean sea level, in gpsd before 3.20.
        var alt: Double?
        var track: Double?
        var speed: Double?
        var eph: Double?
        var epx: Double?
        var epy: Double?
        var epv: Double?
    }

    /// The orientation of the device.
    struct Attitude: Hashable, Sendable, Decodable {
        var device: String?
        /// In degrees.
        ///
        /// gpsd 3.22 doesn't report whether magnetic or true: it depends on the sentence of the receiver.
        var heading: Double?
    }

    /// Reads a line; `nil` if the line isn't a JSON object with a class, or if an attribute has the wrong
    /// type.
    init?(_ line: [UInt8]) {
        guard let first = line.first(where: { $0 != 0x20 }), first == UInt8(ascii: "{") else { return nil }
        let decoder = JSONDecoder()
        let data = Data(line)
        guard let kind = try? decoder.decode(Kind.self, from: data) else { return nil }
        guard let report = try? Self.read(kind.class, from: data, with: decoder) else { return nil }
        self = report
    }

    private static func read(_ kind: String, from data: Data, with decoder: JSONDecoder) throws -> GpsdReport
    {
        switch kind {
        case "VERSION": .version(protocol: try decoder.decode(Version.self, from: data).proto_major)
        case "DEVICES": .devices(try decoder.decode(DeviceList.self, from: data).devices ?? [])
        case "DEVICE": .device(try decoder.decode(Device.self, from: data))
        case "TPV": .fix(try decoder.decode(Fix.self, from: data))
        case "ATT": .attitude(try decoder.decode(Attitude.self, from: data))
        case "ERROR": .error(try decoder.decode(Complaint.self, from: data).message ?? "")
        case "WATCH": .watch
        case "SKY": .sky
        default: .other(kind)
        }
    }

    private struct Kind: Decodable {
        var `class`: String
    }

    private struct Version: Decodable {
        var proto_major: Int?
    }

    private struct DeviceList: Decodable {
        var devices: [Device]?
    }

    private struct Complaint: Decodable {
        var message: String?
    }
}

extension GpsdReport.Device: Decodable {
    private enum Key: String, CodingKey {
        case path, activated
    }

    /// `activated` is a time, or the number 0 if the device has vanished.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        path = try container.decodeIfPresent(String.self, forKey: .path)
        isGone = (try? container.decode(Double.self, forKey: .activated)) == 0
    }
}
