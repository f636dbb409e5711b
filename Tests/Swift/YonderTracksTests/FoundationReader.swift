import Foundation
import YonderGeodesy
import YonderTracks

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Reads a GPX file's points with Foundation's XML parser, as texts.
final class FoundationReader: NSObject, XMLParserDelegate {
    struct Point {
        let kind: String
        let latitude: String
        let longitude: String
        var children: [String: String] = [:]
    }

    private(set) var points: [Point] = []
    private var path: [String] = []
    private var open: Point?
    private var text = ""

    /// The points in the order in which they end, or `nil` if the parser refuses the file.
    static func points(of bytes: [UInt8]) -> [Point]? {
        let reader = FoundationReader()
        let parser = XMLParser(data: Data(bytes))
        parser.delegate = reader
        return parser.parse() ? reader.points : nil
    }

    private static func localName(_ name: String) -> String {
        name.firstIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
    }

    func parser(
        _ parser: XMLParser,
        didStartElement elementName: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        let name = Self.localName(elementName)
        let point = Point(kind: name, latitude: attributes["lat"] ?? "", longitude: attributes["lon"] ?? "")
        switch (path, name) {
        case (["gpx"], "wpt"), (["gpx", "rte"], "rtept"), (["gpx", "trk", "trkseg"], "trkpt"): open = point
        default: break
        }
        path.append(name)
        text = ""
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        text += string
    }

    func parser(_ parser: XMLParser, foundCDATA CDATABlock: Data) {
        text += String(decoding: CDATABlock, as: UTF8.self)
    }

    func parser(
        _ parser: XMLParser,
        didEndElement elementName: String,
        namespaceURI: String?,
        qualifiedName: String?
    ) {
        let name = path.removeLast()
        guard let point = open else { return }
        if name == point.kind, path.last == (name == "wpt" ? "gpx" : name == "rtept" ? "rte" : "trkseg") {
            points.append(point)
            open = nil
        } else {
            let parent = path.last ?? ""
            if parent == point.kind || parent == "extensions" || parent == "TrackPointExtension" {
                open?.children[name] = text.trimmingCharacters(in: CharacterSet(charactersIn: " \t\r\n"))
            }
        }
    }
}

extension GPXDocument {
    /// All points: waypoints, then routes', then tracks'.
    var allPoints: [TrackPoint] {
        waypoints + routes.flatMap(\.points) + tracks.flatMap(\.points)
    }
}

extension FoundationReader.Point {
    /// Whether the point is the same, but for what can't be true, which is left out there.
    func agrees(with point: TrackPoint) -> Bool {
        guard
            let longitude = Double(longitude),
            let coordinate = Coordinate(latitude: Double(latitude) ?? .nan, longitude: longitude)
        else { return false }
        return coordinate == point.coordinate
            && point.altitude?.meters ?? Double(children["ele"] ?? "") == Double(children["ele"] ?? "")
            && point.speed?.metersPerSecond ?? Double(children["speed"] ?? "")
                == Double(children["speed"] ?? "")
            && point.timestamp ?? Timestamp(iso8601: children["time"] ?? "")
                == Timestamp(iso8601: children["time"] ?? "")
            && point.name ?? "" == children["name"] ?? ""
    }
}
